/** What the serial orders of some calls give: executed before anything overlaps, and again in each fresh process. */
import { isDeepStrictEqual } from 'node:util';
import type { CanonicalOutcome, ScenarioRun, SerialOutcome } from '../../data/scenario.ts';
import { NOT_HELD, NotHeld } from '../held/not-held.ts';
import { SubjectError } from '../subjects/protocol.ts';
import type { RunReply } from '../subjects/worker-protocol.ts';
import { restsOf, serialOrders } from './serial-orders.ts';

/** Runs a scenario in some process. */
export type AskScenario = (run: ScenarioRun) => Promise<Pick<RunReply, 'result' | 'serial'>>;

/** What takes no longer by the clock of runs is executed by the real one, too, ms. */
const LONGEST_REAL_MS = 250;
/** By the real clock what is left behind the last call gets so much longer, ms. */
const REST_MS = 20;

export class Oracle {
  private readonly orders: readonly Pick<SerialOutcome, 'order' | 'rests'>[];
  private readonly samples: CanonicalOutcome[][];
  private first: Promise<void> | null = null;

  constructor(calls: number, refusable: readonly number[], sequel: number | null) {
    this.orders = serialOrders(calls, refusable, sequel).flatMap((order) =>
      restsOf(order).map((rests) => ({ order, rests })),
    );
    this.samples = this.orders.map(() => []);
  }

  /** The outcomes as far as they are known by now. */
  get outcomes(): readonly SerialOutcome[] {
    return this.orders.map((each, at) => ({ ...each, samples: this.samples[at]! }));
  }

  /**
   * Executes each order by several clocks, once for all that share this oracle.
   * @throws SubjectError: an order fails, or does not end alike.
   */
  async know(ask: AskScenario): Promise<void> {
    // Who was before may have been ended: that says nothing of the orders.
    const isKnown = await this.first?.then(
      () => true,
      () => false,
    );
    if (isKnown) return;
    this.first = this.sample(ask);
    await this.first;
  }

  /** Executes each once more: what differs from what is known may be anything from then on. */
  async again(ask: AskScenario): Promise<void> {
    for (const [at, each] of this.orders.entries()) {
      const run = { kind: 'serial', ...each, clock: 'shifted', restMs: 0 } as const;
      this.add(at, (await this.execute(ask, run)).outcome);
    }
  }

  private async sample(ask: AskScenario): Promise<void> {
    for (const [at, each] of this.orders.entries()) {
      const serial = { kind: 'serial', ...each, restMs: 0 } as const;
      const { outcome, clockMs, isBlocked } = await this.execute(ask, { ...serial, clock: 'virtual' });
      this.add(at, outcome);
      this.add(at, (await this.execute(ask, { ...serial, clock: 'shifted' })).outcome);
      // By the real clock nobody knows when nothing is under way, or that a call waits for another one.
      if (clockMs > LONGEST_REAL_MS || each.rests.length > 0 || isBlocked) continue;
      const restMs = clockMs + REST_MS;
      this.add(at, (await this.execute(ask, { ...serial, clock: 'real', restMs })).outcome);
    }
  }

  private async execute(ask: AskScenario, run: ScenarioRun) {
    const { result, serial } = await ask(run);
    if (serial) return serial;
    if (result.failure?.name === NOT_HELD) throw new NotHeld(result.failure.message);
    const why = result.failure ? `${result.failure.name}: ${result.failure.message}` : result.outcome;
    throw new SubjectError(`its operations fail one after the other, too: ${why.split('\n', 1)[0]}`);
  }

  private add(at: number, outcome: CanonicalOutcome): void {
    const known = this.samples[at]!;
    const [first] = known;
    if (first && !outcome.results.every((result, call) => kindOf(result) === kindOf(first.results[call]!)))
      throw new SubjectError('unstable: one and the same serial order ends now in one way, now in another');
    if (!known.some((other) => isDeepStrictEqual(other, outcome))) known.push(outcome);
  }
}

const kindOf = (result: CanonicalOutcome['results'][number]): string =>
  typeof result === 'string' ? result : Object.keys(result).join();

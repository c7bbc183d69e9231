/** What the serial orders of some calls give: executed before anything overlaps, and again in each fresh process. */
import { isDeepStrictEqual } from 'node:util';
import type { RunResult, StrategySpec } from '../../data/run.ts';
import type {
  CanonicalOutcome,
  ScenarioRun,
  SerialClock,
  SerialOutcome,
  SerialReply,
} from '../../data/scenario.ts';
import { NOT_HELD, NotHeld } from '../held/not-held.ts';
import { SubjectError } from '../subjects/protocol.ts';
import { restsOf, serialOrders } from './serial-orders.ts';

/** Runs a scenario in some process. */
export type AskScenario = (
  run: ScenarioRun,
  spec?: StrategySpec,
) => Promise<{
  readonly result: Pick<RunResult, 'failure' | 'outcome'>;
  readonly serial?: SerialReply | null;
}>;

/** What makes a difference to a serial order. */
interface Differences {
  /** By which clocks it is executed. */
  readonly clocks: readonly SerialClock[];
  /** What is left behind by its calls. */
  readonly rests: boolean;
  /** Its own answers come in orders of chance, too: a call is no more than what it is by itself, and may take as long as it likes. */
  readonly answers: boolean;
}

export const USUAL_DIFFERENCES: Differences = {
  clocks: ['virtual', 'shifted', 'real'],
  rests: true,
  answers: false,
};

/** What takes no longer by the clock of runs is executed by the real one, too, ms. */
const LONGEST_REAL_MS = 250;
/** By the real clock what is left behind the last call gets so much longer, ms. */
const REST_MS = 20;
/** Of the orders of chance. */
const SEEDS: readonly number[] = [1, 2];

export class Oracle {
  private readonly orders: readonly Pick<SerialOutcome, 'order' | 'rests'>[];
  private readonly clocks: readonly SerialClock[];
  private readonly samples: CanonicalOutcome[][];
  private readonly isVaried: boolean;
  /** What came of an order where its own answers came otherwise, and it did not end as it did before. */
  private readonly varied: SerialOutcome[] = [];
  private first: Promise<void> | null = null;

  constructor(
    calls: number,
    refusable: readonly number[],
    sequel: number | null,
    { answers, clocks, rests } = USUAL_DIFFERENCES,
  ) {
    this.isVaried = answers;
    this.clocks = clocks;
    this.orders = serialOrders(calls, refusable, sequel).flatMap((order) =>
      (rests ? restsOf(order) : [[]]).map((rests) => ({ order, rests })),
    );
    this.samples = this.orders.map(() => []);
  }

  /** The outcomes as far as they are known by now. */
  get outcomes(): readonly SerialOutcome[] {
    return [...this.orders.map((each, at) => ({ ...each, samples: this.samples[at]! })), ...this.varied];
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
      if (this.clocks.includes('shifted'))
        this.add(at, (await this.execute(ask, { ...serial, clock: 'shifted' })).outcome);
      if (this.isVaried && each.rests.length === 0) await this.vary(ask, at);
      // By the real clock nobody knows when nothing is under way, or that a call waits for another one.
      if (!this.clocks.includes('real')) continue;
      if (clockMs > LONGEST_REAL_MS || each.rests.length > 0 || isBlocked) continue;
      const restMs = clockMs + REST_MS;
      this.add(at, (await this.execute(ask, { ...serial, clock: 'real', restMs })).outcome);
    }
  }

  private async vary(ask: AskScenario, at: number): Promise<void> {
    const each = this.orders[at]!;
    for (const seed of SEEDS) {
      const run = { kind: 'serial', ...each, clock: 'virtual', restMs: 0 } as const;
      const { serial } = await ask(run, { kind: 'random', seed });
      // It is judged without: such an order may come to no end.
      if (!serial) continue;
      const { outcome } = serial;
      const [first] = this.samples[at]!;
      if (isLike(outcome, first!)) this.add(at, outcome);
      else this.varied.push({ ...each, samples: [outcome] });
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
    if (first && !isLike(outcome, first))
      throw new SubjectError('unstable: one and the same serial order ends now in one way, now in another');
    if (!known.some((other) => isDeepStrictEqual(other, outcome))) known.push(outcome);
  }
}

const isLike = (one: CanonicalOutcome, other: CanonicalOutcome): boolean =>
  one.results.every((result, call) => kindOf(result) === kindOf(other.results[call]!));

const kindOf = (result: CanonicalOutcome['results'][number]): string =>
  typeof result === 'string' ? result : Object.keys(result).join();

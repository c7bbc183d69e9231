/** One execution of the calls of a scenario on fresh state: what each gave, and when it began and ended. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { CanonicalOutcome, CanonicalResult } from '../../data/scenario.ts';
import type { Operation } from '../../harnesses/api.ts';
import { setAsOurs } from '../../monitor/host/timer-owner.ts';
import { type Frame, runtime } from '../../monitor/runtime/index.ts';
import { isAtRest, isGated } from '../gate/session.ts';
import { canonicalError } from './canonical.ts';
import type { OverlapRun } from './judge.ts';
import { type PlannedScenario, type Start, taskName } from './plan.ts';
import { compared, isRefusal, observed } from './results.ts';
import { ALL_ORACLE_RULES, type OracleRules } from './rules.ts';

/** Calls that begin apart do so by so many ms. */
const APART_MS = 1;
/** What is still under way so long behind the last call is not waited for, ms of the clock of runs. */
const MOST_REST_MS = 10_000;
const LONGEST_SLEEP_MS = 500;

export class Overlap {
  private readonly rules: OracleRules;
  private readonly scenario: PlannedScenario;
  private readonly state: unknown;
  private readonly dir: string | null;
  private readonly results: CanonicalResult[];
  /** What calls have returned; only kept where it is not copied. */
  private readonly returned = new Map<number, unknown>();
  private readonly refused = new Set<number>();
  private readonly began: number[];
  private readonly ended: number[];
  private readonly frames = new Map<number, Frame | null>();
  /** Counts beginnings and ends. */
  private moment = 0;
  /** A call was left waiting for a later one. */
  isBlocked = false;

  /** @param dir the directory of this execution; null: it has used none. */
  constructor(scenario: PlannedScenario, state: unknown, dir: string | null, rules = ALL_ORACLE_RULES) {
    this.rules = rules;
    this.scenario = scenario;
    this.state = state;
    this.dir = dir;
    this.results = scenario.calls.map(() => 'never settled');
    this.began = scenario.calls.map(() => Number.POSITIVE_INFINITY);
    this.ended = scenario.calls.map(() => Number.POSITIVE_INFINITY);
  }

  /** All calls, each a task of its own, and what they have left behind. In a serial order one that waits for the next is left waiting. */
  async start(start: Start | 'serially', root: Frame | null): Promise<void> {
    let before: Promise<void> = Promise.resolve();
    const { calls, sequel } = this.scenario;
    const tasks = calls.map((_, at) => {
      const frame = this.frameOf(at, root);
      const previous = before;
      const begin = async (): Promise<void> => {
        if (start === 'serially' && at > 0) await this.endOf(previous, at - 1);
        if (at === sequel) await previous;
        else if (start === 'apart' && at > 0) await within(frame, () => pause(at * APART_MS));
        await this.call(at, frame);
      };
      before = begin();
      return before;
    });
    await Promise.all(tasks);
    if (this.rules.rests) await rest();
  }

  /**
   * One call behind the other. One that waits for another is left waiting, as its task would be; by the real clock it would not
   * be known from one that takes long.
   */
  async inOrder(order: readonly number[], rests: readonly number[], root: Frame | null): Promise<void> {
    const { sequel } = this.scenario;
    const calls = new Map<number, Promise<void>>();
    for (const [place, at] of order.entries()) {
      if (rests.includes(place)) await rest();
      // One that is left waiting keeps its own task waiting.
      const before = at === sequel ? calls.get(at - 1) : undefined;
      const frame = this.frameOf(at, root);
      const call =
        before && this.ended[at - 1] === Number.POSITIVE_INFINITY
          ? before.then(() => this.call(at, frame))
          : this.call(at, frame);
      calls.set(at, call);
      await this.endOf(call, at);
    }
    if (this.rules.rests) await rest();
  }

  /** By the real clock nobody knows whether a call waits for another one: then its end is waited for. */
  private async endOf(call: Promise<void>, at: number): Promise<void> {
    await (this.rules.blocks && isGated() ? this.endOrRest(call, at) : call);
  }

  /** That of the task whose call it is. */
  private frameOf(at: number, root: Frame | null): Frame | null {
    const { calls, sequel } = this.scenario;
    const known = at === sequel ? this.frames.get(at - 1) : undefined;
    const names = at + 1 === sequel ? [calls[at]!, calls[sequel]!] : [calls[at]!];
    const frame = known ?? (root && runtime.taskFrame(taskName(names, at), root));
    this.frames.set(at, frame);
    return frame;
  }

  private async endOrRest(call: Promise<void>, at: number): Promise<void> {
    const over = new AbortController();
    await Promise.race([call, rest(over.signal)]);
    over.abort();
    this.isBlocked ||= this.ended[at] === Number.POSITIVE_INFINITY;
  }

  /** What came of it, and what is there now. */
  async outcome(): Promise<CanonicalOutcome> {
    const { dir, rules, scenario, state } = this;
    const then = await observed(scenario.spec, state, scenario.draws, dir, rules);
    if (!this.rules.copies)
      for (const [at, value] of this.returned)
        this.results[at] = { value: compared(this.operation(at), value, dir, rules) };
    return { results: [...this.results], then };
  }

  executed(outcome: CanonicalOutcome): OverlapRun {
    const { began, ended } = this;
    return { outcome, refused: [...this.refused].sort((a, b) => a - b), began, ended };
  }

  private async call(at: number, frame: Frame | null): Promise<void> {
    const operation = this.operation(at);
    this.began[at] = this.moment++;
    try {
      const { args } = this.scenario.calls[at]!;
      const value: unknown = await within(frame, () => operation.run(this.state, ...args));
      this.results[at] = { value: compared(operation, value, this.dir, this.rules) };
      if (!this.rules.copies) this.returned.set(at, value);
    } catch (error) {
      if (isRefusal(operation, error)) this.refused.add(at);
      this.results[at] = { rejects: canonicalError(error, this.dir, this.rules) };
    }
    this.ended[at] = this.moment++;
  }

  private operation(at: number): Operation<any> {
    return this.scenario.spec.operations[this.scenario.calls[at]!.operation]!;
  }
}

/** In a run the code of the user belongs to the task of the frame. */
const within = <T>(frame: Frame | null, fn: () => T): T => (frame ? runtime.runAsBody(frame, fn) : fn());

/** A sleep of ours, which is written nowhere in the program. */
const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  setAsOurs(() => sleep(ms, undefined, signal && { signal }));

/** Waits until nothing of the run is under way, by the clock of the run, or until nobody wants to know. */
async function rest(signal?: AbortSignal): Promise<void> {
  // What has just begun may be in microtasks yet, and has asked nothing of the host.
  await nextTurn();
  let ms = 1;
  for (let waited = 0; waited < MOST_REST_MS && !signal?.aborted && !isAtRest(); waited += ms) {
    await pause(ms, signal).catch(() => {});
    ms = Math.min(2 * ms, LONGEST_SLEEP_MS);
  }
}

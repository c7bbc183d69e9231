/**
 * A test that is carried out up to one of its calls. Calls that are to overlap are not made: of the earlier one the test is told what it
 * gave in the recorded run, and goes on to the later one with whatever it hands to that. When both have ended, the test goes on: what
 * it calls then, and whether it passes, is what is seen.
 */
import type { Canonical } from '../../data/scenario.ts';
import type { CallPlan } from '../../data/test-call.ts';
import type { MadeCall } from '../../monitor/runtime/test-calls.ts';
import { endsSoon, started } from '../held/body.ts';
import type { HeldOperations, HeldTest } from '../held/held-test.ts';
import { NotHeld } from '../held/not-held.ts';
import { canonical, canonicalError, tagged } from '../scenarios/canonical.ts';
import { copied, givenAgain, parts } from './copies.ts';
import { CallListener, type HeardCall, operationOf, textOf } from './log.ts';
import { closes, isReading } from './words.ts';

type TestEnd = { readonly error: unknown } | null;

export class HeldCallTest implements HeldTest {
  private readonly plan: CallPlan;
  private readonly listener: CallListener;
  private readonly reached = Promise.withResolvers<void>();
  /** Calls that the test was to make, and that overlap now. */
  private readonly stopped: MadeCall[] = [];
  /** What the test waits for. */
  private readonly waiting: PromiseWithResolvers<unknown>[] = [];
  private readonly before: MadeCall[] = [];
  private over: Promise<TestEnd> = Promise.resolve(null);
  private watching: Look | null = null;

  constructor(plan: CallPlan, file: string) {
    this.plan = plan;
    this.listener = new CallListener(
      file,
      (heard, promise) => this.heard(heard, promise),
      (heard) => this.instead(heard),
    );
  }

  async carryOut(body: () => unknown): Promise<HeldOperations> {
    this.listener.begin();
    this.over = started(body).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const end = await Promise.race([this.reached.promise, this.over.then((ended) => ({ ended }))]);
    const { stops } = this.plan;
    if (end) {
      const { calls } = this.plan;
      const why = end.ended ? `: ${String(end.ended.error).split('\n', 1)[0]}` : '';
      const [first, last] = [calls.find(({ stop }) => stop === 0), calls.find(({ stop }) => stop > 0)];
      throw new NotHeld(
        `the test does not come to \`${(last ?? first)!.text}\` where \`${first!.text}\` is not made before it${why}`,
      );
    }
    return new HeldCalls(this.plan, this.stopped.slice(0, stops.length), (at, calls) => this.goOn(at, calls));
  }

  async release(): Promise<boolean> {
    for (const each of this.waiting.splice(0)) each.reject(new Error('the test is left'));
    const inTime = await endsSoon(this.over);
    this.listener.end();
    return inTime;
  }

  /** The test goes on with what its call gave; null: that never ended. */
  private async goOn(last: Promise<unknown> | null, object: unknown): Promise<unknown> {
    const looks = this.before.filter((made) => made.receiver === object && isReading(operationOf(made)));
    const look = new Look(looks, object);
    this.watching = look;
    if (last === null) {
      await look.again();
      return look.seen;
    }
    const [held] = this.waiting.splice(0);
    last.then(held!.resolve, held!.reject);
    const ended = await this.over;
    await look.again();
    look.ended(ended);
    return look.seen;
  }

  private instead(heard: HeardCall): { readonly gives: unknown } | undefined {
    const { made, place } = heard;
    if (this.watching) return this.watching.instead(made);
    const stop = this.plan.stops[this.stopped.length];
    if (!stop || stop.site !== place.site || stop.nth !== place.nth) return undefined;
    this.stopped.push(made);
    if (stop.gave !== null) return { gives: Promise.resolve(givenAgain(stop.gave)) };
    const held = Promise.withResolvers<unknown>();
    this.waiting.push(held);
    this.reached.resolve();
    return { gives: held.promise };
  }

  private heard({ made, overlaps }: HeardCall, promise: Promise<unknown>): void {
    // What functions of the test call for the code under test.
    if (overlaps || (!this.watching && this.stopped.length === this.plan.stops.length)) return;
    if (this.watching) this.watching.heard(made, promise);
    else if (!this.before.some((other) => textOf(other) === textOf(made) && other.receiver === made.receiver))
      this.before.push(made);
  }
}

/** What is seen behind the calls that overlap. */
class Look {
  readonly seen: Record<string, Canonical> = {};
  private readonly looks: readonly MadeCall[];
  private readonly object: unknown;
  private isDone: Promise<void> | null = null;

  constructor(looks: readonly MadeCall[], object: unknown) {
    this.looks = looks;
    this.object = object;
  }

  /** Before the object is closed, what the test has read of it is read again. */
  instead(made: MadeCall): { readonly gives: unknown } | undefined {
    if (this.isDone || made.receiver !== this.object || !closes(operationOf(made), made.args[0]))
      return undefined;
    return { gives: this.again().then(() => made.make(made.args)) };
  }

  heard(made: MadeCall, promise: Promise<unknown>): void {
    const place = this.placeFor(textOf(made));
    promise.then(
      (value) => {
        this.seen[place] = canonical(value);
      },
      (error: unknown) => {
        this.seen[place] = tagged('rejects', canonicalError(error));
      },
    );
  }

  again(): Promise<void> {
    this.isDone ??= this.lookAgain();
    return this.isDone;
  }

  /** How the test ends: it says something of what it has not called for, as of the content of a file. */
  ended(end: TestEnd): void {
    if (end === null) return;
    const { actual } = (end.error ?? {}) as { actual?: unknown };
    this.seen['the test fails'] = {
      with: canonicalError(end.error),
      ...(actual === undefined ? {} : { actual: canonical(actual) }),
    };
  }

  private async lookAgain(): Promise<void> {
    for (const made of this.looks) {
      const args = copied(made.args);
      if (args === null) continue;
      const place = this.placeFor(`${textOf(made)} again`);
      try {
        this.seen[place] = canonical(await made.make(args));
      } catch (error) {
        this.seen[place] = tagged('rejects', canonicalError(error));
      }
    }
  }

  private placeFor(name: string): string {
    let times = 1;
    const next = (): string => (times === 1 ? name : `${name} (${times})`);
    while (next() in this.seen) times += 1;
    this.seen[next()] = tagged('not settled');
    return next();
  }
}

/** The calls that overlap. */
export class HeldCalls implements HeldOperations {
  private readonly plan: CallPlan;
  private readonly stopped: readonly MadeCall[];
  private readonly goOn: (last: Promise<unknown> | null, object: unknown) => Promise<unknown>;
  private readonly args: readonly (readonly unknown[])[];
  private readonly results: (Promise<unknown> | undefined)[] = [];
  private readonly isSettled: boolean[] = [];

  constructor(
    plan: CallPlan,
    stopped: readonly MadeCall[],
    goOn: (last: Promise<unknown> | null, object: unknown) => Promise<unknown>,
  ) {
    this.plan = plan;
    this.stopped = stopped;
    this.goOn = goOn;
    this.args = argumentsOf(plan.calls.map(({ stop }) => stopped[stop]!.args));
  }

  call(at: number): Promise<unknown> {
    const made = this.stopped[this.plan.calls[at]!.stop]!;
    const result = started(() => made.make(this.args[at]!));
    this.results[at] = result;
    const settled = (): void => {
      this.isSettled[at] = true;
    };
    result.then(settled, settled);
    return result;
  }

  look(): Promise<unknown> {
    const { calls, stops } = this.plan;
    const last = calls.findIndex(({ stop }) => stop === stops.length - 1);
    return this.goOn(this.isSettled[last] ? this.results[last]! : null, this.stopped[0]!.receiver);
  }
}

/** What two calls were both given each of them gets as a copy of its own: who calls twice does not hand over one thing. */
function argumentsOf(all: readonly (readonly unknown[])[]): (readonly unknown[])[] {
  const known = new Set<object>();
  return all.map((args) => {
    const { objects } = parts(args);
    const own = objects.isDisjointFrom(known) ? args : (copied(args) ?? args);
    for (const each of objects) known.add(each);
    return own;
  });
}

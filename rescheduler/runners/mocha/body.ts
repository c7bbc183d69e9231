/** The body of a Mocha test, which returns a promise or takes a callback, as one that a {@link BodyRunner} runs. */
import { getCallSites } from 'node:util';
import type { CaseId } from '../../subjects/job.ts';
import type { BodyRunner, RunningCase } from '../adapter.ts';
import type { MochaBody, MochaRunnable } from './api.ts';

/** `fn` run by `bodies`; it takes a callback where `fn` does. */
export function bodyIn(bodies: BodyRunner, test: MochaRunnable, id: CaseId, fn: MochaBody): MochaBody {
  const running = (): RunningCase => ({
    isOver: () => test.timedOut === true,
    isTodo: () => false,
    isSkipped: () => test.pending === true,
    // Mocha goes on to a test in the turn of the last hook that waits for nothing, and calls hooks by immediates.
    atOnce: isInImmediate(),
  });
  if (!test.async)
    return function (this: unknown) {
      return bodies.run(id, () => Reflect.apply(fn, this, []), running());
    };
  return function (this: unknown, done) {
    const call = new CallbackCall(fn, this, done!);
    const ran = running();
    bodies
      .run(id, () => call.settled(), ran)
      .then(
        () => call.tell(),
        (error: unknown) => {
          // Who skips himself has told it already.
          if (!ran.isSkipped()) call.tell(error);
        },
      );
  };
}

/** So many calls Mocha's own way to a test is shorter than. */
const DEEPEST = 200;

/** Whether the running code was called by an immediate itself, and not by what that has left to ticks and microtasks. */
function isInImmediate(): boolean {
  const sites = getCallSites(DEEPEST);
  const isBehind = sites.some(({ scriptName }) => scriptName === 'node:internal/process/task_queues');
  return sites.at(-1)?.functionName === 'processImmediate' && !isBehind;
}

/** Mocha's own words. */
const OVERSPECIFIED =
  'Resolution method is overspecified. Specify a callback *or* return a Promise; not both.';

/** A call of a body that takes a callback: settled when that is called, and told to Mocha with what it was called with. */
class CallbackCall {
  private readonly fn: MochaBody;
  private readonly self: unknown;
  private readonly done: (...args: unknown[]) => void;
  private args: readonly unknown[] | null = null;

  constructor(fn: MochaBody, self: unknown, done: (...args: unknown[]) => void) {
    this.fn = fn;
    this.self = self;
    this.done = done;
  }

  settled(): Promise<void> {
    return new Promise((resolve, reject) => {
      let returned: unknown;
      returned = Reflect.apply(this.fn, this.self, [
        (...args: unknown[]) => {
          // Mocha itself says what is wrong with a second call.
          if (this.args !== null) return this.done(...args);
          this.args = args;
          const isPromise = typeof (returned as PromiseLike<unknown> | undefined)?.then === 'function';
          if (!args[0] && isPromise) this.args = [new Error(OVERSPECIFIED)];
          if (this.args[0]) reject(this.args[0]);
          else resolve();
        },
      ]);
    });
  }

  /** `failure`: how it ended without its callback having been called. */
  tell(failure?: unknown): void {
    this.done(...(this.args ?? [failure]));
  }
}

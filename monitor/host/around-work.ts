/**
 * What code around runs, a hook, say, has asked the thread pool for. It goes by real time and is answered natively: no time of a run
 * passes before.
 */
import { performance } from 'node:perf_hooks';
import type { HostRequests } from './controller.ts';

// The program may fake it later.
const now = performance.now.bind(performance);

/**
 * So long a run waits for it in all, real ms: what has no answer (the other end of a pipe is not there), or asks anew with each one, does
 * not end. Less than the time that runners give a test.
 */
const PATIENCE_MS = 1000;

type TakesAnswer = (...answer: any[]) => unknown;

export class AroundWork {
  private readonly controller: Pick<HostRequests, 'begunBy'>;
  private count = 0;
  /** For how long something was pending in the present run, before what is pending now, and since when that is; real ms. */
  private waited = 0;
  private since = 0;

  constructor(controller: Pick<HostRequests, 'begunBy'>) {
    this.controller = controller;
  }

  /** Some of it is not answered. */
  get isPending(): boolean {
    return this.count > 0;
  }

  /** A run begins. */
  surround(): void {
    this.waited = 0;
    this.since = now();
  }

  /** It is worth waiting for. */
  get mayCome(): boolean {
    return this.isPending && this.waited + now() - this.since < PATIENCE_MS;
  }

  /** Makes a native call that is answered by `object[key]`. */
  callBack<T>(object: object, key: string, call: () => T): T {
    const own: unknown = Reflect.get(object, key);
    const over = typeof own === 'function' ? this.begin() : null;
    if (!over) return call();
    Reflect.set(object, key, answered(own as TakesAnswer, over));
    return orOver(call, over);
  }

  /** The same of one that is answered by its last argument. */
  callLast<T>(args: readonly unknown[], call: (args: readonly unknown[]) => T): T {
    const last = args.at(-1);
    const over = typeof last === 'function' ? this.begin() : null;
    if (!over) return call(args);
    return orOver(() => call([...args.slice(0, -1), answered(last as TakesAnswer, over)]), over);
  }

  /** The same of one that is answered by a promise of Node's own, which the program does not see. */
  promise<T>(call: () => Promise<T>): Promise<T> {
    const over = this.begin();
    const promise = over ? orOver(call, over) : call();
    if (over) promise.then(over, over);
    return promise;
  }

  /** What is to be called once it is answered; null: whoever asks is not around runs. */
  begin(): (() => void) | null {
    if (this.controller.begunBy() !== 'around') return null;
    if (this.count === 0) this.since = now();
    this.count += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.count -= 1;
      if (this.count === 0) this.waited += now() - this.since;
    };
  }
}

/** A method: Node ends the process where a blob is read with what is a constructor. */
const answered = (own: TakesAnswer, over: () => void): TakesAnswer =>
  ({
    answer(this: unknown, ...answer: any[]) {
      over();
      return own.apply(this, answer);
    },
  }).answer;

/** What is refused in the call is not answered. */
function orOver<T>(call: () => T, over: () => void): T {
  try {
    return call();
  } catch (error) {
    over();
    throw error;
  }
}

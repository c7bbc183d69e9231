/**
 * Calls of async functions in a thread: which of them the code that runs now belongs to. Instrumented text calls the
 * hooks at their beginning, around each `await`, and at their end; none of them adds a tick or changes a value.
 */
import type { ThreadActivation } from './activation.ts';
import type { Token } from './token.ts';

type A = ThreadActivation | null;

/** The hooks, under the names that instrumented text uses. A null activation is a module body. */
export interface ActivationHooks {
  open(point: number): ThreadActivation;
  close(activation: ThreadActivation): void;
  mark(activation: A): A;
  join<T>(point: number, activation: A, value: T): T;
  suspend<T>(point: number, activation: A, value: T): T;
  suspendCall<T>(point: number, activation: A, value: T): T;
  resume<T>(point: number, activation: A, value: T): T;
  re(activation: A): void;
  iter<T>(point: number, activation: A, value: T): T;
}

export class Activations {
  /** The one that runs; null: none of them. */
  current: A = null;
  /** The body of a module, where it waits or waited last; it is no call. */
  private readonly body: ThreadActivation = {
    ...{ id: 0, parent: 0, point: 0, at: 0, saved: null, isResumed: false },
  };
  private isInBody = true;
  /** Those that wait, in the order in which they began to. */
  private readonly suspended = new Set<ThreadActivation>();
  readonly hooks: ActivationHooks;
  private last = 0;

  constructor(token: Token) {
    const suspend = <T>(point: number, activation: A, value: T): T => {
      if (activation === null) {
        token.waits();
        this.body.at = point;
        this.isInBody = false;
        return value;
      }
      activation.at = point;
      this.suspended.delete(activation);
      this.suspended.add(activation);
      this.current = activation.saved;
      activation.saved = null;
      return value;
    };
    const re = (activation: A): void => {
      if (activation === null) {
        token.goesOn();
        this.isInBody = true;
      }
      if (activation === null || activation === this.current) return;
      this.suspended.delete(activation);
      // What was suspended goes on with nobody below it.
      activation.saved = null;
      activation.isResumed = true;
      this.current = activation;
    };
    const same = <T>(_point: number, _activation: A, value: T): T => value;
    this.hooks = {
      open: (point) => {
        const saved = this.current;
        const activation: ThreadActivation = {
          id: ++this.last,
          parent: saved?.id ?? 0,
          point,
          at: point,
          saved,
          isResumed: false,
        };
        this.current = activation;
        token.opened(activation);
        return activation;
      },
      close: (activation) => {
        re(activation);
        token.closed(activation);
        this.current = activation.saved;
      },
      suspend,
      suspendCall: suspend,
      resume: (_point, activation, value) => {
        re(activation);
        return value;
      },
      re,
      mark: (activation) => activation,
      join: same,
      // What it waits for in its head it waits for as at an `await`.
      iter: suspend,
    };
  }

  /** A turn begins: nobody's code runs yet. */
  turn(): void {
    this.current = null;
    this.isInBody = false;
  }

  /** The point of the `await` that was come to last of those that are not over; 0: none is known. */
  get waitsAt(): number {
    const [last] = [...this.suspended].slice(-1);
    return last?.at ?? (this.isInBody ? 0 : this.body.at);
  }

  /** What runs if it is the body of a module. */
  get module(): A {
    return this.current === null && this.isInBody ? this.body : null;
  }

  reset(): void {
    this.current = null;
    this.isInBody = true;
    this.body.at = 0;
    this.suspended.clear();
    this.last = 0;
  }
}

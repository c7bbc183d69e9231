/**
 * Events of a source that nobody can foresee (another thread, a child, a watcher): each is held when it comes, and
 * delivered in its turn. What comes together stays together, as natively.
 */
import { issueArrival, type Origin } from './arrival.ts';
import type { Context } from './context.ts';
import type { HostController, HostRequest } from './request.ts';

type How = Pick<HostRequest, 'wakes' | 'prompt' | 'made' | 'after'> & {
  /** What the callbacks of this event themselves made come, which Node tells right behind them; null: nothing. */
  readonly next?: () => (() => void) | null;
};

/** So many events Node tells one behind the other, at most. */
const MOST = 1000;

export class HeldSource {
  private readonly controller: HostController;
  private readonly root: object;
  private readonly api: string;
  private readonly what: string;
  private readonly origin: Origin;
  private readonly context: Context;
  private readonly waiting: (() => void)[] = [];
  private request: HostRequest | null = null;
  private count = 0;

  constructor(controller: HostController, api: string, what: string, origin: Origin, context: Context) {
    this.controller = controller;
    this.root = controller.root;
    this.api = api;
    this.what = what;
    this.origin = origin;
    this.context = context;
  }

  /** The run in which it was made is still on. */
  get isOfRun(): boolean {
    return this.controller.root === this.root;
  }

  /**
   * An event has come; `tell` runs the callbacks of the program, later or, outside of the run, now. `how` it comes: see
   * {@link HostRequest}.
   */
  come(tell: () => void, kind: 'external' | 'close' = 'external', how: How = {}): void {
    if (!this.isOfRun || this.controller.running) {
      tell();
      return;
    }
    this.waiting.push(tell);
    this.offer(kind, how);
  }

  /** The source learns, as of an event, that it is closed, and tells so in the closing phase of that round. */
  close(tell: () => void, how: How): void {
    const { controller, api, what, context } = this;
    const name = `${this.origin.name}+close`;
    const closing = () =>
      void issueArrival(controller, {
        ...{ kind: 'close', api, what, origin: { ...this.origin, name }, context },
        happen: (done) => done(),
        deliver: tell,
      });
    if (!this.isOfRun || controller.running) tell();
    else this.come(closing, 'external', how);
  }

  private offer(kind: 'external' | 'close', how: How): void {
    if (this.request || this.waiting.length === 0) return;
    this.count += 1;
    const { controller, api, what, context } = this;
    const { next, ...manner } = how;
    const name = this.count === 1 ? this.origin.name : `${this.origin.name}+${this.count - 1}`;
    this.request = issueArrival(controller, {
      ...{ kind, api, what, origin: { ...this.origin, name }, context, ...manner },
      happen: (done) => done(),
      deliver: () => {
        this.request = null;
        const together = this.waiting.splice(0);
        if (!controller.rules.fifo) together.reverse();
        try {
          for (let told = 1; together.length > 0; told++) {
            together.shift()?.();
            if (together.length > 0 || next) controller.drain();
            const more = together.length === 0 && told < MOST ? next?.() : null;
            if (more) together.push(more);
          }
        } finally {
          // A callback threw: the others come nevertheless.
          this.waiting.unshift(...together);
          this.offer(kind, how);
        }
      },
    });
  }
}

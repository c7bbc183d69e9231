/**
 * Events of a source that nobody can foresee (another thread, a child, a watcher): each is held when it comes, and
 * delivered in its turn. What comes together stays together, as natively.
 */
import { issueArrival, type Origin } from './arrival.ts';
import type { Context } from './context.ts';
import type { HostController, HostRequest } from './request.ts';

type How = Pick<HostRequest, 'wakes' | 'prompt'>;

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

  private offer(kind: 'external' | 'close', how: How): void {
    if (this.request || this.waiting.length === 0) return;
    this.count += 1;
    const { controller, api, what, context } = this;
    const name = this.count === 1 ? this.origin.name : `${this.origin.name}+${this.count - 1}`;
    this.request = issueArrival(controller, {
      ...{ kind, api, what, origin: { ...this.origin, name }, context, ...how },
      happen: (done) => done(),
      deliver: () => {
        this.request = null;
        const together = this.waiting.splice(0);
        if (!controller.rules.fifo) together.reverse();
        try {
          for (let tell = together.shift(); tell; tell = together.shift()) {
            tell();
            if (together.length > 0) controller.drain();
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

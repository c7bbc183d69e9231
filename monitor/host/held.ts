/**
 * Events of a source that nobody can foresee (another thread, a child, a watcher): each is held when it comes, and
 * delivered in its turn. What comes together stays together, as natively.
 */
import type { Arrival } from '../../data/feasibility/exact/arrivals.ts';
import { issueArrival } from './arrival.ts';
import type { Context } from './context.ts';
import type { HostRequests } from './controller.ts';
import type { RequestOrigin } from './naming.ts';
import type { ArrivedRequest, HostRequest } from './request.ts';

/** How the events of a source come. */
interface SourceManner extends Pick<ArrivedRequest, 'trails' | 'since' | 'behind'> {
  readonly how: Arrival | 'close';
  /** What the callbacks of this event themselves made come, which Node tells right behind them; null: nothing. */
  readonly next?: () => (() => void) | null;
}

interface HeldEvent {
  readonly tell: () => void;
  /** That the source is closed: whoever closes it is told all the same. */
  readonly isEnd: boolean;
}

/** So many events Node tells one behind the other, at most. */
const MOST = 1000;

export class HeldSource {
  private readonly controller: HostRequests;
  private readonly root: object;
  private readonly api: string;
  private readonly what: string;
  private readonly origin: RequestOrigin;
  private readonly context: Context;
  private readonly waiting: HeldEvent[] = [];
  private request: HostRequest | null = null;
  private count = 0;
  /** Its events are being told, one behind the other. */
  isTelling = false;

  constructor(controller: HostRequests, api: string, what: string, origin: RequestOrigin, context: Context) {
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
   * An event has come; `tell` runs the callbacks of the program, later or, outside of the run, now.
   */
  come(tell: () => void, manner: SourceManner): void {
    this.take({ tell, isEnd: manner.how === 'close' }, manner);
  }

  private take(event: HeldEvent, manner: SourceManner): void {
    if (!this.isOfRun || this.controller.running) {
      event.tell();
      return;
    }
    this.waiting.push(event);
    this.offer(manner);
  }

  /** The program closes the source: what was not told by then never is (C18). */
  forget(): void {
    const { controller, waiting, request } = this;
    if (!this.isOfRun || !controller.rules.forgets) return;
    const left = waiting.splice(0).filter(({ isEnd }) => isEnd);
    waiting.push(...left);
    if (!request || left.length > 0) return;
    this.request = null;
    controller.cancel(request);
  }

  /** The source learns, as of an event, that it is closed, and tells so in the closing phase of that round. */
  close(tell: () => void, manner: SourceManner): void {
    const { controller, api, what, context } = this;
    const name = `${this.origin.name}+close`;
    const closing = () =>
      void issueArrival(controller, {
        ...{ how: 'close', api, what, origin: { ...this.origin, name }, context },
        happen: (done) => done(),
        deliver: tell,
      });
    if (!this.isOfRun || controller.running) tell();
    else this.take({ tell: closing, isEnd: true }, manner);
  }

  private offer(manner: SourceManner): void {
    if (this.request || this.waiting.length === 0) return;
    this.count += 1;
    const { controller, api, what, context, waiting } = this;
    const { behind = null, how, next, trails, since } = manner;
    const name = this.count === 1 ? this.origin.name : `${this.origin.name}+${this.count - 1}`;
    this.request = issueArrival(controller, {
      ...{ behind, how, trails, api, what, origin: { ...this.origin, name }, context },
      ...(since === undefined ? {} : { since }),
      happen: (done) => done(),
      deliver: () => {
        this.request = null;
        if (!controller.rules.fifo) waiting.reverse();
        this.isTelling = true;
        try {
          for (let told = 1; waiting.length > 0; told++) {
            waiting.shift()!.tell();
            if (waiting.length > 0 || next) controller.drain();
            const more = waiting.length === 0 && told < MOST ? next?.() : null;
            if (more) waiting.push({ tell: more, isEnd: false });
          }
        } finally {
          this.isTelling = false;
          // A callback threw: the others come nevertheless.
          this.offer(manner);
        }
      },
    });
  }
}

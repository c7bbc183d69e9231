/**
 * What other threads bring to the event loop of this one. Shared memory says when it has come, in the order of steps; it is
 * handed out when its turn has come, as soon as Node has it, too, which may have been before.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '../../../monitor/host/context.ts';
import type { HostRequest } from '../../../monitor/host/request.ts';
import { native } from '../../gate/native.ts';
import type { LoopHolder } from '../../tokens/loop-holder.ts';

/** One that brings something again and again, or once. */
export interface ArrivalSource {
  /** `close`: the handle is closed, and tells it in the closing phase. */
  readonly kind: 'external' | 'close';
  readonly api: string;
  /** For people: from whom. */
  readonly what: string;
  /** The same in every execution. */
  readonly name: string;
  /** Of its callbacks. */
  readonly context: Context;
  /** It has come, and was not handed out. */
  isReady(): boolean;
  /** Node has it. */
  isHere(): boolean;
  /** It is there as soon as it was sent: the next poll phase brings it, in the order in which the handles were made. */
  readonly isPrompt?: boolean;
  readonly made?: number;
  /** What comes first. */
  readonly behind?: ArrivalSource | null;
  /** Keeps the thread alive. */
  lingers(): boolean;
  /** Hands it out, in a turn. */
  tell(): void;
}

export class Arrivals {
  private readonly sources = new Map<ArrivalSource, HostRequest | null>();
  private readonly counts = new WeakMap<ArrivalSource, number>();
  private readonly numbers = new WeakMap<ArrivalSource, number>();
  private readonly holder: LoopHolder;
  private base: Context = (fn) => fn();

  constructor(holder: LoopHolder) {
    this.holder = holder;
  }

  /** The program begins, in the context of its run. */
  begin(): void {
    this.base = AsyncLocalStorage.snapshot();
  }

  /** The present context, for callbacks; that of the program where it has not begun. */
  capture(isBegun: boolean): Context {
    if (isBegun) return AsyncLocalStorage.snapshot();
    return (fn) => this.base(fn);
  }

  /** Another execution begins; what the one before had is given to `end`. */
  forget(end: (source: ArrivalSource) => void): void {
    for (const source of this.sources.keys()) end(source);
    this.sources.clear();
  }

  add(source: ArrivalSource): void {
    this.sources.set(source, null);
  }

  /** From here on it may bring something. */
  listen(source: ArrivalSource): void {
    if (!this.numbers.has(source)) this.numbers.set(source, this.holder.awaits('listens'));
  }

  /** Each is told once until it is handed out. */
  *arrived(): Generator<HostRequest> {
    for (const [source, offered] of this.sources) {
      if (offered !== null || !source.isReady()) continue;
      const request = this.request(source);
      this.sources.set(source, request);
      yield request;
    }
  }

  /** The number of what brought it; null: none of these did. */
  sourceOf(request: HostRequest): number | null {
    for (const [source, offered] of this.sources)
      if (offered === request) return this.numbers.get(source) ?? null;
    return null;
  }

  lingers(): boolean {
    return this.sources.keys().some((source) => source.lingers());
  }

  private request(source: ArrivalSource): HostRequest {
    const count = this.counts.get(source) ?? 0;
    this.counts.set(source, count + 1);
    const { behind, isPrompt = false, kind, made = -1 } = source;
    return {
      ...(kind === 'close' ? { kind } : { kind, how: { by: 'message', prompt: isPrompt, made } }),
      ...{ api: source.api, what: source.what },
      name: count === 0 ? source.name : `${source.name}+${count}`,
      ...{ frame: null, site: -1, ref: true, id: -1, effects: 0 },
      behind: (behind && this.sources.get(behind)) ?? null,
      accesses: () => [],
      effect: (done) => whenHere(source, () => done(true)),
      deliver: () => {
        if (this.sources.has(source)) this.sources.set(source, null);
        source.context(() => source.tell());
      },
    };
  }
}

/** Calls `then` now or, in a macrotask of its own, as soon as Node has it. */
function whenHere(source: ArrivalSource, then: () => void): void {
  if (source.isHere()) then();
  else native.setImmediate(() => whenHere(source, then));
}

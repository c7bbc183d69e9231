/** Where accesses of a thread were called from, at the few places that explain a failure. */
import type { CallPlace } from '../../data/trace.ts';
import { configure, type LoaderConfig } from '../../monitor/loader/config.ts';
import { CallSites } from '../../monitor/record/call-site.ts';
import { Callers } from '../../monitor/record/callers.ts';
import type { ThreadActivation } from '../../monitor/threads/activation.ts';
import type { Activations } from '../../monitor/threads/activations.ts';
import type { ThreadLoader } from '../../monitor/threads/load.ts';
import { placeOf } from '../../monitor/threads/trace.ts';

interface WatchedThread {
  readonly activations: Activations;
  readonly loader: ThreadLoader;
}

/** At one place. */
const MOST_ACCESSES = 5000;

export class ThreadCallers {
  private readonly runtime: WatchedThread;
  private readonly places: ReadonlySet<string>;
  private readonly callers: Callers<ThreadActivation>;

  constructor(runtime: WatchedThread, config: LoaderConfig, places: readonly string[]) {
    configure(config);
    const { loader } = runtime;
    const texts = {
      allSites: () => loader.known,
      originalColumn: (file: string, line: number, column: number) =>
        loader.originalColumn(file, line, column),
    };
    this.runtime = runtime;
    this.places = new Set(places);
    this.callers = new Callers(texts, new CallSites(texts), MOST_ACCESSES);
  }

  /** A call of an async function begins: the code that makes it is below it on the stack. */
  begin(activation: ThreadActivation): void {
    this.callers.begin(activation);
  }

  /** The event with this number is an access of the code on top of the stack. */
  access(event: number, point: number): void {
    const { activations, loader } = this.runtime;
    if (!this.places.has(placeOf(loader.sites[point]))) return;
    for (let call = activations.current; call; call = call.saved)
      if (call.isResumed) this.callers.resume(call);
    this.callers.access(event, activations.current, point);
  }

  /** By event, what was seen since this was asked before. */
  finish(): Map<number, readonly CallPlace[]> {
    return this.callers.finish();
  }
}

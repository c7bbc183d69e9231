/** Everything that makes a thread take part: marks, hooks, wrapped `Atomics`, seeded chance and virtual time. */
import { generator } from '../../data/generator.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { type AccessHooks, accessHooks } from '../../monitor/threads/accesses.ts';
import { type ActivationHooks, Activations } from '../../monitor/threads/activations.ts';
import { installAnnotations } from '../../monitor/threads/annotated.ts';
import { installAtomics } from '../../monitor/threads/atomics.ts';
import { installBulk } from '../../monitor/threads/bulk.ts';
import { installDataView } from '../../monitor/threads/data-view.ts';
import { ThreadLoader } from '../../monitor/threads/load.ts';
import { Registry } from '../../monitor/threads/registry.ts';
import { installMarks, Views } from '../../monitor/threads/views.ts';
import { watchMemories } from '../../monitor/threads/wasm.ts';
import { type Control, H } from './control.ts';
import { Holder } from './holder.ts';

export interface ThreadRuntime {
  readonly holder: Holder;
  readonly views: Views;
  readonly loader: ThreadLoader;
  readonly activations: Activations;
  /** The point of the operation that is being called. */
  readonly pointHere: () => number;
  /** Chance and time begin anew, and no operation has been called yet. */
  reset(): void;
}

/** What instrumented text finds as `__cov`. `at`: the point of the operation that is about to be called. */
interface RuntimeHooks extends AccessHooks, ActivationHooks {
  at: number;
  enter(point: number): void;
  leave(): void;
}

/**
 * Takes part in executions as thread number `self`; -1: the main thread, which takes no steps. Threads with event
 * loops have holders of their own, and real time.
 */
export function installRuntime(
  control: Control,
  self: number,
  config: LoaderConfig,
  holder = new Holder(control, self),
  clock: Clock = 'virtual',
): ThreadRuntime {
  const registry = new Registry(control.registry);
  const views = new Views(registry);
  const loader = new ThreadLoader(config, registry);
  installMarks();
  const nameOf = (point: number): string | null => loader.sites[point]?.key ?? null;
  const activations = new Activations(holder);
  const hooks: RuntimeHooks = {
    ...accessHooks(holder, views, nameOf),
    ...activations.hooks,
    at: 0,
    enter: (point) => holder.enter(point),
    leave: () => holder.leave(),
  };
  const pointHere = (): number => hooks.at;
  Object.defineProperty(globalThis, '__cov', { value: hooks, configurable: true });
  watchMemories();
  if (self < 0) return { holder, views, loader, activations, pointHere, reset: () => {} };
  installAtomics(holder, views, pointHere, nameOf);
  installDataView(holder, views, pointHere);
  installBulk(holder, views, hooks, pointHere);
  installAnnotations(holder, views, pointHere);
  const resetChance = installChance(control, self, clock);
  const reset = () => {
    hooks.at = 0;
    activations.reset();
    resetChance();
  };
  return { holder, views, loader, activations, pointHere, reset };
}

/** Virtual: of this file; gated: that of the gate; real: neither it nor chance begins anew. */
type Clock = 'virtual' | 'gated' | 'real';

/** Any moment will do; it is the same in every execution. */
const EPOCH = Date.UTC(2026, 0, 1);
/** Every look at the clock takes a microsecond: who waits by looking comes to an end. */
const LOOK_MS = 0.001;

function installChance({ words }: Control, self: number, clock: Clock): () => void {
  let random = generator(self);
  let looks = 0;
  const now = (): number => words[H.Clock]! + ++looks * LOOK_MS;
  Math.random = () => random();
  if (clock === 'real') return () => {};
  if (clock === 'virtual') {
    Date.now = () => Math.floor(EPOCH + now());
    performance.now = now;
  }
  return () => {
    random = generator(self);
    looks = 0;
  };
}

/** Makes a thread of the user's own program take part: its main thread, or a worker that it starts. */
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { installLockHooks } from '../../monitor/locks/hooks.ts';
import { requireAdapters } from '../../monitor/locks/user.ts';
import { installHooks } from '../../monitor/threads/hooks.ts';
import type { ThreadLoader } from '../../monitor/threads/load.ts';
import type { Views } from '../../monitor/threads/views.ts';
import type { GatedJob } from '../subjects/job.ts';
import type { Control } from '../tokens/control.ts';
import { installRuntime, type ThreadRuntime } from '../tokens/thread-runtime.ts';
import type { ProgramHolder } from './gated/program-holder.ts';
import { Lines } from './lines.ts';
import { Notes } from './notes.ts';
import { atOnce, wrapPorts } from './ports.ts';
import { TurnHolder } from './turn-holder.ts';
import { tellUnseen } from './unseen.ts';
import { wrapWaitAsync } from './wait-async.ts';

/** What every thread of an execution is given. */
export interface Execution {
  readonly control: Control;
  /** Messages between threads, and what comes with them; see lines.ts. */
  readonly lines: Int32Array;
  readonly mail: Int32Array;
  /** See wait-async.ts. */
  readonly asyncWaiters: Int32Array;
  /** See broadcasts.ts. */
  readonly broadcasts: Int32Array;
  readonly config: LoaderConfig;
  /** What the execution leaves. */
  readonly out: string;
  /** The file of {@link Notes}. */
  readonly notes: string;
  /** See tokens/file-cells.ts. */
  readonly fileTable: Int32Array;
  /** Threads, at most. */
  readonly most: number;
  /** Threads take part in one execution after the other, and the memory is the same. */
  readonly isWarm: boolean;
  /** Of the execution that is on. */
  plan: ExecutionPlan;
}

export interface ExecutionPlan {
  /** Names of threads whose numbers are settled: those of the recorded run. */
  readonly names: readonly string[];
  /** Null: answers of the host and timers come when they come. */
  readonly gated: GatedJob | null;
}

/** A thread's own place in an execution. */
export interface Place {
  readonly execution: Execution;
  readonly self: number;
  readonly name: string;
  /** The thread that made this one. */
  readonly parent: number;
}

export interface Part extends Place {
  readonly holder: TurnHolder | ProgramHolder;
  readonly views: Views;
  readonly notes: Notes;
  readonly lines: Lines;
  readonly loader: ThreadLoader;
  /** The program point of the operation of `Atomics` that is being called. */
  pointHere(): number;
}

/** A thread whose event loop goes its own way. `deadlock`: nobody will ever go on. */
export function takePart(place: Place, deadlock: () => void): Part {
  const { asyncWaiters, control, config, notes: file } = place.execution;
  const notes = new Notes(file);
  const holder = new TurnHolder(control, asyncWaiters, place.self, {
    leaving: () => tellViews(notes, runtime.views),
    deadlock,
  });
  const runtime = installRuntime(control, place.self, config, holder, 'real');
  const part = partOf(place, holder, runtime, notes);
  wrapPorts(part, () => atOnce);
  wrapWaitAsync(part);
  return part;
}

/** The views that this thread has met since it told them last. */
export function tellViews(notes: Notes, views: Views): void {
  if (views.all.length === 0) return;
  for (const view of views.all) if (view.name !== null) notes.tell({ view });
  views.forget();
}

/** What threads have in common, whatever becomes of their event loops. */
export function partOf(place: Place, holder: Part['holder'], runtime: ThreadRuntime, notes: Notes): Part {
  const { config } = place.execution;
  const { loader, pointHere, views } = runtime;
  loader.told = (first, sites) => notes.tell({ first, sites });
  // Before the hooks: adapters belong to the monitor, and are not instrumented.
  requireAdapters(config.locks);
  installHooks(loader);
  if (config.locks.length > 0) installLockHooks();
  const known: Omit<Part, 'lines'> = { ...place, holder, views, notes, loader, pointHere };
  tellUnseen(notes);
  return { ...known, lines: new Lines(known) };
}

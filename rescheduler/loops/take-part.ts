/** Makes a thread of the user's own program take part: its main thread, or a worker that it starts. */
import { installLockHooks } from '../../monitor/locks/hooks.ts';
import { requireAdapters } from '../../monitor/locks/user.ts';
import { installHooks } from '../../monitor/threads/hooks.ts';
import type { Views } from '../../monitor/threads/views.ts';
import { ThreadCallers } from '../tokens/thread-callers.ts';
import { installRuntime, type ThreadRuntime } from '../tokens/thread-runtime.ts';
import { Lines } from './lines.ts';
import { Notes } from './notes.ts';
import type { ThreadContext } from './part.ts';
import { atOnce, wrapPorts } from './ports.ts';
import type { Thread, ThreadSlot } from './thread.ts';
import { TurnHolder } from './turn-holder.ts';
import { tellUnseen } from './unseen.ts';
import { wrapWaitAsync } from './wait-async.ts';

/** A thread whose event loop goes its own way. `deadlock`: nobody will ever go on. */
export function takePart(place: ThreadSlot, deadlock: () => void): ThreadContext {
  const { asyncWaiters, control, config, notes: file } = place.execution;
  const notes = new Notes(file);
  const holder = new TurnHolder(control, asyncWaiters, place.self, {
    leaving: () => {
      tellViews(notes, runtime.views);
      tellCallers(notes, holder);
    },
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

/** From where the accesses were called that have come to pass since this was told last. */
export function tellCallers(notes: Notes, { callers }: ThreadContext['holder']): void {
  const calls = callers?.finish();
  if (calls && calls.size > 0) notes.append({ callers: [...calls] });
}

/** What threads have in common, whatever becomes of their event loops. */
export function partOf(
  place: ThreadSlot,
  holder: ThreadContext['holder'],
  runtime: ThreadRuntime,
  notes: Notes,
): ThreadContext {
  const { config } = place.execution;
  const { loader, pointHere, views } = runtime;
  loader.told = (first, sites) => notes.tell({ first, sites });
  // Before the hooks: adapters belong to the monitor, and are not instrumented.
  requireAdapters(config.locks);
  installHooks(loader);
  if (config.locks.length > 0) installLockHooks();
  const known: Thread = { ...place, holder, views, notes, loader, pointHere };
  tellUnseen(notes);
  const { callsAt } = place.execution.plan;
  holder.callers = callsAt && new ThreadCallers(runtime, config, callsAt);
  return { ...known, lines: new Lines(known) };
}

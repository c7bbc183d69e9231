/**
 * A deadlock in which the main thread only waits for its workers: Node itself would wait for ever, as nothing that
 * could still happen keeps its loop alive.
 */

import { inState } from '../tokens/choice.ts';
import { H, record, STATE, T } from '../tokens/control.ts';
import type { ThreadExecution } from './thread.ts';

/** Between two looks. All messages that were under way at one of them have arrived at the next. */
const LOOK_MS = 200;
const LOOKS = 3;

const { load } = Atomics;

/** Calls `stuck` when all workers that live wait for a notification and nothing can wake this thread. */
export function watchIdle({ control: { words } }: ThreadExecution, stuck: () => void): void {
  let seen = -1;
  let looks = 0;
  let timers: { none(): boolean } | null = null;
  setInterval(() => {
    const turns = load(words, H.Turns);
    const still = turns === seen && isStuck(words) && timers!.none();
    looks = still ? looks + 1 : 0;
    seen = turns;
    if (looks === LOOKS) stuck();
  }, LOOK_MS).unref();
  // Our own timer does not count.
  timers = watchTimers();
}

/** Nobody holds the token or comes for it, and all others wait without an end. */
function isStuck(words: Int32Array): boolean {
  const threads = words[H.Threads]!;
  let blocked = 0;
  for (let thread = 1; thread < threads; thread++) {
    const its = record(thread);
    const state = load(words, its + T.State);
    if (state === STATE.Ended) continue;
    if (state !== STATE.Blocked || words[its + T.Deadline]! >= 0) return false;
    blocked += 1;
  }
  return blocked > 0 && load(words, H.Owner) < 0 && inState(words, STATE.Ready).length === 0;
}

/** Timers that keep the loop alive are listed by Node; of others it is only known that there were some. */
function watchTimers(): { none(): boolean } {
  let hidden = false;
  const probe = setTimeout(() => {}, 0);
  const { prototype } = probe.constructor as { prototype: NodeJS.Timeout };
  clearTimeout(probe);
  const { unref } = prototype;
  prototype.unref = function () {
    hidden = true;
    return unref.call(this);
  };
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (ms) => {
    hidden = true;
    return timeout.call(AbortSignal, ms);
  };
  return {
    none: () => !hidden && onlyOutput(process.getActiveResourcesInfo()),
  };
}

/** Of ports only other threads can make use; standard output and standard error bring nothing. */
function onlyOutput(kinds: readonly string[]): boolean {
  const pipes = kinds.filter((kind) => kind === 'PipeWrap').length;
  return pipes <= 2 && kinds.every((kind) => HARMLESS.has(kind));
}

const HARMLESS: ReadonlySet<string> = new Set(['MessagePort', 'PipeWrap', 'TTYWrap', 'Worker']);

/**
 * Node's own timer machinery, reached through an in-process inspector session: no flag is needed, and the
 * Timeout and Immediate classes, references, refresh, intervals and AbortSignal.timeout all stay Node's own.
 */
import { opendir } from 'node:fs';
import { builtinExports } from './builtins.ts';
import type { AsyncHooks, ContextFrames } from './context.ts';
import type { DirBinding } from './fs-dir.ts';
import { resourceLister } from './resources.ts';
import { ScopeReader } from './scope-reader.ts';

/** A Timeout as Node's timer lists see it. */
export interface NativeTimeout {
  _idleNext: object | null;
  _idlePrev: object | null;
  _idleStart: number | null;
  _idleTimeout: number;
  _repeat: number | null;
  _onTimeout: unknown;
  _timerArgs: unknown;
  _destroyed: boolean;
  hasRef(): boolean;
}

/** An Immediate as Node's queue sees it. */
export interface NativeImmediate {
  _idleNext: object | null;
  _idlePrev: object | null;
  _destroyed: boolean;
  _onImmediate: unknown;
  _argv: unknown;
  hasRef(): boolean;
}

/** A list of timers with equal delay; also the shape of the private list that fires one of them. */
export interface TimersList {
  _idleNext: object;
  _idlePrev: object;
  msecs: number;
  expiry: number;
  id: number;
  priorityQueuePosition: number | null;
}

export interface ImmediateQueue {
  head: NativeImmediate | null;
  tail: NativeImmediate | null;
  append(item: NativeImmediate): void;
  remove(item: NativeImmediate): void;
}

export interface NodeInternals {
  /** `internal/linkedlist`: every timer enters and leaves its list through it. */
  readonly L: { append(list: object, item: NativeTimeout): void; remove(item: NativeTimeout): void };
  /** Node's lists by delay, and by expiry. */
  readonly timerListMap: Record<number, TimersList>;
  readonly timerListQueue: { removeAt(position: number): void };
  readonly immediateQueue: ImmediateQueue;
  /** [count, count of those that keep the loop alive, whether a batch was interrupted] */
  readonly immediateInfo: Uint32Array;
  readonly binding: { toggleImmediateRef(on: boolean): void; toggleTimerRef(on: boolean): void };
  /** [count of timers that keep the loop alive] */
  readonly timeoutInfo: Int32Array;
  /** A private copy of Node's callbacks, with a batch of its own: ours may run while Node's is running. */
  readonly processImmediate: () => void;
  readonly listOnTimeout: (list: TimersList, now: number) => void;
  readonly hooks: AsyncHooks;
  readonly activeResources: ReturnType<typeof resourceLister>;
  /** Null where Node keeps it elsewhere: then directories opened by opendir are read un-gated. */
  readonly dirBinding: DirBinding | null;
  readonly AsyncContextFrame: ContextFrames;
}

const MODULE_NAMES = [
  'L',
  'timerListMap',
  'timerListQueue',
  'immediateQueue',
  'immediateInfo',
  'timeoutInfo',
  'binding',
  'emitBefore',
  'emitAfter',
  'AsyncContextFrame',
];

let known: NodeInternals | null = null;

/**
 * Reads the closures of Node's timer module, once. Throws with the missing name on a Node that changed it.
 */
export function readNodeInternals(): NodeInternals {
  known ??= read();
  return known;
}

function read(): NodeInternals {
  const reader = new ScopeReader();
  try {
    const timer = setTimeout(() => {}, 1e6);
    clearTimeout(timer);
    const outer = reader.scopes(Object.getPrototypeOf(timer).refresh, MODULE_NAMES);
    const callbacks = timerCallbacks(reader)(() => {});
    const inner = reader.scopes(callbacks.processTimers, ['listOnTimeout']);
    return {
      L: outer['L'],
      timerListMap: outer['timerListMap'],
      timerListQueue: outer['timerListQueue'],
      immediateQueue: outer['immediateQueue'],
      immediateInfo: outer['immediateInfo'],
      timeoutInfo: outer['timeoutInfo'],
      binding: outer['binding'],
      processImmediate: callbacks.processImmediate,
      listOnTimeout: inner['listOnTimeout'],
      hooks: {
        emitBefore: outer['emitBefore'],
        emitAfter: outer['emitAfter'],
      },
      activeResources: resourceLister(outer['timeoutInfo'], outer['immediateInfo']),
      dirBinding: dirBindingOf(reader),
      AsyncContextFrame: outer['AsyncContextFrame'],
    };
  } finally {
    reader.close();
  }
}

/** The binding of directories alone; null where Node keeps it elsewhere. */
export function readDirBinding(): DirBinding | null {
  const reader = new ScopeReader();
  try {
    return dirBindingOf(reader);
  } finally {
    reader.close();
  }
}

const dirBindingOf = (reader: ScopeReader): DirBinding | null =>
  reader.scopes(opendir, ['dirBinding'], false)['dirBinding'] ?? null;

/**
 * What makes Node's timer callbacks. Node's own table of modules leads there; where it does not, the heap is walked,
 * which takes a tenth of a second.
 */
function timerCallbacks(reader: ScopeReader): Function {
  const found = builtinExports('internal/timers')?.['getTimerCallbacks'];
  return typeof found === 'function' ? found : reader.named('getTimerCallbacks');
}

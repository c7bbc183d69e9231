/**
 * Node's own timer machinery, reached through an in-process inspector session: no flag is needed, and the
 * Timeout and Immediate classes, references, refresh, intervals and AbortSignal.timeout all stay Node's own.
 */
import { opendir } from 'node:fs';
import { Session } from 'node:inspector';
import { isBuiltin } from 'node:module';
import type { DirBinding } from './fs-dir.ts';
import { resourceLister } from './resources.ts';

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

export interface Innards {
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
  readonly emitAfter: (asyncId: number) => void;
  readonly activeResources: ReturnType<typeof resourceLister>;
  /** Null where Node keeps it elsewhere: then directories opened by opendir are read un-gated. */
  readonly dirBinding: DirBinding | null;
  readonly AsyncContextFrame: { current(): unknown; set(frame: unknown): void; readonly enabled: boolean };
}

const MODULE_NAMES = [
  'L',
  'timerListMap',
  'timerListQueue',
  'immediateQueue',
  'immediateInfo',
  'timeoutInfo',
  'binding',
  'emitAfter',
  'AsyncContextFrame',
];
const HANDLE = '__unweaveInnards';

let known: Innards | null = null;

/**
 * Reads the closures of Node's timer module, once. Throws with the missing name on a Node that changed it.
 */
export function readInnards(): Innards {
  known ??= read();
  return known;
}

function read(): Innards {
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
      emitAfter: outer['emitAfter'],
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

interface BuiltinModules {
  readonly map: ReadonlyMap<string, { readonly exports: Record<string, unknown> }>;
}

/**
 * What makes Node's timer callbacks. Node's own table of modules, which `isBuiltin` looks into, leads there; where
 * it does not, the heap is walked, which takes a tenth of a second.
 */
function timerCallbacks(reader: ScopeReader): Function {
  const { BuiltinModule } = reader.scopes(isBuiltin, ['BuiltinModule'], false) as {
    BuiltinModule?: BuiltinModules;
  };
  const found = BuiltinModule?.map?.get('internal/timers')?.exports['getTimerCallbacks'];
  return typeof found === 'function' ? found : reader.named('getTimerCallbacks');
}

/** Reads variables out of the closure of a function. */
class ScopeReader {
  private readonly session = new Session();
  private readonly globals = globalThis as unknown as Record<string, unknown>;

  constructor() {
    this.session.connect();
  }

  close(): void {
    this.session.disconnect();
    delete this.globals[HANDLE];
  }

  scopes(fn: Function, names: readonly string[], all = true): Record<string, any> {
    const found: Record<string, any> = {};
    this.globals[HANDLE] = { fn, found };
    const holder = this.post('Runtime.evaluate', { expression: HANDLE }).result.objectId;
    const target = this.post('Runtime.evaluate', { expression: `${HANDLE}.fn` }).result.objectId;
    const internal = this.properties(target).internalProperties;
    const list = internal.find((p: { name: string }) => p.name === '[[Scopes]]').value.objectId;
    for (const scope of this.properties(list).result) {
      // The global scope has no variable of Node's modules, and it is large.
      if (scope.value?.description?.startsWith('Global')) continue;
      for (const variable of this.properties(scope.value.objectId).result) {
        if (!names.includes(variable.name) || variable.name in found || !variable.value?.objectId) continue;
        this.post('Runtime.callFunctionOn', {
          objectId: holder,
          functionDeclaration: 'function (name, value) { this.found[name] = value; }',
          arguments: [{ value: variable.name }, { objectId: variable.value.objectId }],
        });
      }
    }
    for (const name of names)
      if (all && !(name in found)) throw new Error(`Node ${process.version} has no ${name} in its timers`);
    return found;
  }

  /** A function that no closure in reach refers to: found on the heap by its name. */
  named(name: string): Function {
    const found: { fn?: Function } = {};
    this.globals[HANDLE] = found;
    const holder = this.post('Runtime.evaluate', { expression: HANDLE }).result.objectId;
    const prototype = this.post('Runtime.evaluate', { expression: 'Function.prototype' }).result.objectId;
    const all = this.post('Runtime.queryObjects', { prototypeObjectId: prototype }).objects.objectId;
    this.post('Runtime.callFunctionOn', {
      objectId: holder,
      functionDeclaration: `function (all, name) {
        for (const fn of all) {
          const own = Object.getOwnPropertyDescriptor(fn, 'name');
          if (own && own.value === name && String(fn).includes('listOnTimeout')) this.fn = fn;
        }
      }`,
      arguments: [{ objectId: all }, { value: name }],
    });
    if (!found.fn) throw new Error(`Node ${process.version} has no ${name} in its timers`);
    return found.fn;
  }

  private properties(objectId: string): any {
    return this.post('Runtime.getProperties', { objectId, ownProperties: true });
  }

  /** An in-process session answers before `post` returns. */
  private post(method: string, params: object): any {
    let answer: any;
    this.session.post(method as 'Runtime.evaluate', params as any, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }
}

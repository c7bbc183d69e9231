/**
 * The runtime of this process: what instrumented code calls as `__cov`, and what recorder, gate and executors
 * use as `runtime`.
 *
 * Instrumented text reaches it as a global name, not through an import or a module variable: functions are
 * hoisted over import cycles and may run before any statement of their module.
 */
import * as accesses from './accesses.ts';
import * as activations from './activations.ts';
import { assumed, assumedResult } from './assumed.ts';
import * as collections from './collections.ts';
import { h } from './host-calls.ts';
import { birthplace, idOf } from './identity.ts';
import { iter } from './iterate.ts';
import { adoptGlobal, entityKind, entityName, ownerName } from './names.ts';
import * as paths from './paths.ts';
import { flush, setImmediacy } from './pending.ts';
import { allSites, listen, nextSite, placeSites, registerSites, saturated, siteInfo } from './points.ts';
import * as promises from './promises.ts';
import * as scopes from './scopes.ts';
import { state } from './state.ts';
import { adoptObjects } from './tables.ts';
import { callee } from './test-calls.ts';
import { originalColumn, patchToString, registerText } from './to-string.ts';
import type { AccessSink, Frame, RuntimeObserver } from './types.ts';
import * as variables from './variables.ts';
import * as whole from './whole.ts';
import { ce } from './wording.ts';

const { scopeSite: _scopeSite, ...variableHooks } = variables;
const { called: _called, everything: _everything, ...collectionHooks } = collections;
const { runCallback: _runCallback, ...activationHooks } = activations;
const { adoptPromises, ...promiseHooks } = promises;

const hooks = {
  ...accesses,
  ...collectionHooks,
  ...whole,
  ...variableHooks,
  ...activationHooks,
  ...promiseHooks,
  ...paths,
  h,
  callee,
  iter,
  assumed,
  assumedResult,
  ce,
};

const control = {
  /** The activation on top of the stack; null in module bodies and un-instrumented code called by the host. */
  get cur(): Frame | null {
    flush();
    return state.cur;
  },
  /**
   * Whether an activation is on the stack, for hooks of V8: nothing may be told there. An exception may be on its way while a
   * promise is settled, which V8 takes for uncaught where the hook calls C++.
   */
  get isRunning(): boolean {
    return state.cur !== null;
  },
  /** The root of the present run. */
  get root(): Frame {
    return state.root;
  },
  get sink(): AccessSink | null {
    return state.sink;
  },
  /** Setting a sink gives every program point a full budget; null silences them. */
  set sink(sink: AccessSink | null) {
    flush();
    state.sink = sink;
    listen(sink !== null);
  },
  get observer(): RuntimeObserver | null {
    return state.observer;
  },
  set observer(observer: RuntimeObserver | null) {
    flush();
    state.observer = observer;
  },
  setImmediacy,
  /** Point of the last call of the host in instrumented code; -1: none. */
  get hostCall(): number {
    return state.hostCall;
  },
  set hostCall(site: number) {
    state.hostCall = site;
  },
  /** Who answers calls that are assumed to be I/O; null: they complete by themselves. */
  set assume(assume: typeof state.assume) {
    state.assume = assume;
  },
  /** Whether to stop in the debugger, where a breakpoint asks by the numbers of what it stands for. */
  stopsAt: (..._points: readonly number[]): boolean => false,
  /** Instrumented code runs in another realm of this thread, too. */
  adoptRealm(realm: typeof globalThis): void {
    adoptPromises(realm);
    adoptObjects(realm);
    adoptGlobal(realm);
    patchToString(realm);
    Object.defineProperty(realm, '__cov', { value: this, configurable: true });
  },
  /** Reports a lock taken or given back by the running activation. */
  lock(lock: object, name: string, acquire: boolean): void {
    flush();
    state.sink?.lock(state.cur, lock, name, acquire);
  },
  /** Tells the sink every access so far; before whatever is not told through this object. */
  flush,
  frames: scopes.frameAccess,
  beginRun: scopes.beginRun,
  taskFrame: scopes.taskFrame,
  runAsBody: scopes.runAsBody,
  ordinalIn: scopes.ordinalIn,
  registerSites,
  placeSites,
  registerText,
  originalColumn,
  nextSite,
  siteInfo,
  allSites,
  saturated,
  idOf,
  birthplace: (o: object): number => {
    flush();
    return birthplace(o);
  },
  entityName,
  entityKind,
  ownerName,
};

export type Runtime = typeof hooks & typeof control;

const KEY = Symbol.for('unweave.runtime');

function install(): Runtime {
  const made = Object.defineProperties(hooks, Object.getOwnPropertyDescriptors(control)) as Runtime;
  const hidden = { value: made, enumerable: false, configurable: true, writable: true };
  Object.defineProperty(globalThis, KEY, hidden);
  // A constant: the compiler folds it away. In programs of threads the hooks are others, and are there before this is loaded.
  if (!Object.hasOwn(globalThis, '__cov'))
    Object.defineProperty(globalThis, '__cov', { ...hidden, writable: false });
  return made;
}

/** One per process, also where two copies of this package are loaded. */
export const runtime: Runtime = (globalThis as any)[KEY] ?? install();

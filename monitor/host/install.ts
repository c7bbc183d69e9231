/**
 * Wraps the host once per process. Order matters: after the test runner has loaded (it keeps references to
 * the native clocks and timers that it took while loading), before any code of the user.
 */
import { executionAsyncId } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import type { ChildRecord } from '../../data/child-record.ts';
import type { FoundByRun } from '../../data/trace.ts';
import { ChildProcesses } from '../children/child-processes.ts';
import { DRIVERS, installDrivers } from '../drivers/install.ts';
import { Addons } from './addons.ts';
import { AroundWork } from './around-work.ts';
import { silencePromiseHooks, watchDestroyHooks } from './async-hooks.ts';
import { wrapChildren } from './child.ts';
import { wrapClocks } from './clock.ts';
import { type Context, contextCapturer } from './context.ts';
import type { HostController } from './controller.ts';
import { wrapDatagrams } from './datagrams.ts';
import { wrapFs } from './fs.ts';
import { closeForgotten } from './fs-left.ts';
import { hasForeignFiles } from './fs-taken.ts';
import { wrapImmediates } from './immediates.ts';
import { HostJob } from './job.ts';
import { ask, wrapJobs } from './jobs.ts';
import { watchIdle } from './net/idle.ts';
import { wrapNet } from './net/net.ts';
import { readNodeInternals } from './node-internals.ts';
import { Outsiders } from './outsiders.ts';
import { wrapPorts } from './ports.ts';
import { tellTimers } from './resources.ts';
import { type Stacks, wrapStacks } from './stacks.ts';
import { type WhatIsLeft, wrapTimers } from './timers.ts';
import { watchUnheld } from './unheld.ts';
import { watchUsage } from './usage.ts';
import { watchWaits } from './waits.ts';
import { wrapWatchers } from './watch.ts';
import { wrapZlib } from './zlib.ts';

/** What the controller needs back from the wrapped host. */
export interface Host {
  /** Runs `fn` in the context of the installation: natively, outside of every run. */
  outside<T>(fn: () => T): T;
  /** Captures the present asynchronous context. */
  capture(): Context;
  /** Stacks of errors without what is ours in them. */
  readonly stacks: Stacks;
  /** Something outside of this process is asked, by means that belong to no program: its answer is held. */
  ask<T>(api: string, start: () => Promise<T>): Promise<T>;
  /** Code of the program runs in another realm of this thread: what the engine has there once more is wrapped there, too. */
  adoptRealm(realm: typeof globalThis): void;
  /** The program is told when things are gone, which takes a round of the real loop. */
  tellsDestroyed(): boolean;
  /** Closes connections that agents keep for later; true where there were some. */
  closeIdle(): boolean;
  /** Who could still bring something when the program can do nothing more by itself. */
  readonly outsiders: Pick<Outsiders, 'find' | 'mayKnow'>;
  /** What the processes did that the run has started. */
  processes(): ChildRecord[];
  /** What was there before the run. */
  found(): FoundByRun;
  /** A run begins. */
  begin(): void;
  /** From here on what is set up is for the next run, and no more what was set up before. */
  surroundAnew(): void;
  /** In the context of the run that has begun: it goes on with what was set up for it. */
  takeOver(): void;
  /** Undoes what an exception left behind: async ids above the given one, the context of the callback. */
  unwind(asyncId: number): void;
  /** The handles that keep Node's loop alive, by kind. */
  resources(): readonly string[];
  /** See {@link hasForeignFiles}. */
  hasForeignFiles(): boolean;
  /** What hooks have asked for and what is not answered. */
  readonly around: Pick<AroundWork, 'isPending' | 'mayCome'>;
  /** Handles among those of all these kinds that are controlled, or wait for nothing, by kind: how many. */
  controlled(kinds: readonly string[]): ReadonlyMap<string, number>;
  /** One of them that is controlled is open. */
  holds(): boolean;
  /**
   * Nothing has happened for a while: finds handles that are open and for which nobody waits, which {@link holds} and jobs do not
   * count then. True where there are some.
   */
  findResting(): boolean;
  /** Something happens again. */
  wakeResting(): void;
  /** Whether all that this kind of handle brings comes from this thread. */
  isLocal(kind: string): boolean;
  /** A server of the run is in the middle of a request, and will not wait for the rest for ever. */
  awaitsMessages(): boolean;
  /** A file operation of the run has changed something: watchers have news. */
  changed(): void;
  /** Something is watched. */
  watches(): boolean;
  /** The longest period of intervals that go on outside of the run, ms; 0: there are none. */
  outerPeriod(): number;
  /**
   * Forgets the immediates of a run that is over, and its timers unless Node is to go on with them, and gives its sockets
   * back to Node.
   */
  drop(left: WhatIsLeft): void;
}

let installed: { controller: HostController; host: Host } | null = null;

/** Wraps everything, once; a second call with the same controller changes nothing. */
export function installHost(controller: HostController): Host {
  if (installed) {
    if (installed.controller !== controller) throw new Error('the host is already controlled');
    return installed.host;
  }
  const internals = readNodeInternals();
  const capture = contextCapturer(internals.AsyncContextFrame, internals.hooks);
  const outside = capture();
  const home = internals.AsyncContextFrame.current();
  const host = buildHost(controller, outside);
  installed = { controller, host };
  return host;

  function buildHost(controller: HostController, outside: <T>(fn: () => T) => T): Host {
    // Taken now: the program may put a fake in its place.
    const { setImmediate } = globalThis;
    const later = (fn: () => void): void => void outside(() => setImmediate(fn));
    const around = new AroundWork(controller);
    const timers = wrapTimers(internals, controller);
    const immediates = wrapImmediates(internals, controller);
    tellTimers(controller, timers.count);
    const keep = wrapFs(controller, capture, later, internals.dirBinding, around);
    const net = wrapNet(controller, capture, later, outside);
    const wrapRealms = [
      wrapClocks(controller),
      wrapJobs(controller, capture, later, () => internals.immediateInfo[1]!, around),
      watchUnheld(controller),
      watchWaits(controller),
    ];
    wrapZlib(controller, capture, around);
    watchUsage(controller);
    const processes = new ChildProcesses(controller, outside);
    installDrivers(controller, DRIVERS, processes);
    const children = wrapChildren(controller, capture, net, processes);
    const datagrams = wrapDatagrams(controller, capture, later);
    const ports = wrapPorts(controller, capture, later);
    const watchers = wrapWatchers(controller, capture, later, keep);
    const addons = new Addons(controller);
    let foundPorts: readonly number[] = [];
    const outsiders = new Outsiders(controller, timers.awaitsOuter, () => {
      const { connected, unknown } = net.inside();
      return { connected, unknown: new Set([...unknown, ...datagrams.unknown()]) };
    });
    syncBuiltinESMExports();
    return {
      outside,
      unwind(asyncId) {
        for (let id = executionAsyncId(); id !== asyncId && id !== 0; id = executionAsyncId())
          internals.hooks.emitAfter(id);
        internals.AsyncContextFrame.set(home);
      },
      capture,
      stacks: wrapStacks(),
      ask: (api, start) =>
        ask(new HostJob(controller, api, 'elsewhere', capture(), { later }), () => outside(start)),
      adoptRealm(realm) {
        for (const wrap of wrapRealms) wrap(realm);
      },
      tellsDestroyed: watchDestroyHooks(controller),
      closeIdle: watchIdle(),
      resources: internals.activeResources,
      hasForeignFiles,
      around,
      controlled: (kinds) => new Map([...net.alive(kinds), ...children.ended()]),
      holds: () => net.holds() || datagrams.holds(),
      // The report waits for each thread, which may wait for us.
      findResting: () => isMainThread && !controller.doubts('Worker') && net.findResting(),
      wakeResting: () => net.wakeResting(),
      isLocal: (kind) =>
        kind === 'MessagePort'
          ? ports.isLocal()
          : kind === 'FSEventWrap' && !outsiders.mayKnow && watchers.watchesOwn(),
      ...watchers,
      awaitsMessages: () => net.awaitsMessages(),
      processes: () => processes.records(),
      found: () => ({ programs: children.around(), ports: foundPorts }),
      outsiders,
      begin() {
        closeForgotten();
        outsiders.begin();
        around.surround();
        children.surround();
        foundPorts = net.portsAround();
        addons.begin();
      },
      surroundAnew: () => timers.surroundAnew(),
      takeOver: () => timers.takeOver(),
      outerPeriod: () => timers.outerPeriod(),
      drop(left) {
        timers.drop(left);
        immediates.drop(left);
        net.drop();
        datagrams.drop();
        children.drop();
        processes.drop();
        addons.drop();
        if (left === 'stays') silencePromiseHooks();
      },
    };
  }
}

/**
 * A controller that lets everything happen as it would without it, except that requests of a plan take effect and are
 * answered late: files and other work of the thread pool, and where the plan names them sockets, children, messages,
 * watchers.
 * Timers, immediates and clocks are Node's own.
 *
 * A file operation that is late is late as on a slow disk: it occupies one of the threads of the pool (C10), requests start in the
 * order of their issue, and an answer arrives in the poll phase (C9).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
import { wrapChildren } from '../../monitor/host/child.ts';
import { type Context, contextCapturer } from '../../monitor/host/context.ts';
import { wrapDatagrams } from '../../monitor/host/datagrams.ts';
import { wrapFs } from '../../monitor/host/fs.ts';
import { wrapJobs } from '../../monitor/host/jobs.ts';
import { wrapNet } from '../../monitor/host/net/net.ts';
import { readDirBinding } from '../../monitor/host/node-internals.ts';
import { PassThroughController } from '../../monitor/host/pass-through.ts';
import { wrapPorts } from '../../monitor/host/ports.ts';
import type { HostRequest, PooledRequest } from '../../monitor/host/request.ts';
import { wrapWatchers } from '../../monitor/host/watch.ts';
import { wrapZlib } from '../../monitor/host/zlib.ts';
import { native, POOL_SIZE } from '../gate/native.ts';
import { CheckPhaseCalls } from './check.ts';
import { PlanClock } from './clock.ts';
import { type FamilyName, familyNameOf, familyOf } from './families.ts';
import { LateQueue } from './late-queue.ts';
import { Matcher } from './match.ts';
import type { PlannedRequest, PlannedStep, WitnessPlan } from './plan.ts';
import { PollPhaseCalls } from './poll.ts';
import { TimerStarts } from './starts.ts';
import { afterTurn } from './turn.ts';

/** A turn stands still so long for what takes effect within it, ms. */
const WITHIN_MS = 10;

interface PoolJob {
  readonly request: PooledRequest;
  readonly planned: PlannedRequest | null;
  effects: number;
  /** It was answered within the call, or not made after all. */
  isGone: boolean;
}

export class Delays extends PassThroughController {
  /** Connections to a server that is older than the plan are of the plan. */
  override readonly base: Context = (fn) => this.scope.run(this.root, fn);
  private readonly siteOf: () => string | null;
  private readonly scope = new AsyncLocalStorage<object>();
  private readonly matcher: Matcher;
  private readonly planned = new PlanClock();
  private readonly queue: LateQueue;
  /** Requests without a thread, in the order of issue. */
  private readonly waiting: PoolJob[] = [];
  private readonly onThreads = new Set<PoolJob>();
  private readonly jobs = new WeakMap<HostRequest, PoolJob>();
  private readonly taken = new WeakMap<HostRequest, PlannedRequest>();
  private readonly takenBack = new WeakSet<HostRequest>();
  /** Calls whose turn is not over. */
  private calls = 0;
  private readonly poll = new PollPhaseCalls();

  /** Wraps what uses the thread pool. `siteOf` tells the `file:line` of the call that is running. */
  constructor(plan: WitnessPlan, siteOf: () => string | null) {
    super();
    this.siteOf = siteOf;
    this.matcher = new Matcher(plan.requests);
    const asksServers = plan.stretches.some(({ rounds }) => rounds.some(({ heads }) => heads.length > 0));
    const check = asksServers ? new CheckPhaseCalls() : null;
    const hasAlarms = plan.stretches.some(({ alarms }) => alarms);
    const starts = new TimerStarts(plan.pauses, hasAlarms, this.planned, () => this.active());
    this.queue = new LateQueue(this.planned, this.matcher, this.poll, plan.stretches, {
      check,
      alarms: starts,
      outside: (fn) => this.scope.exit(fn),
    });
    // Nothing but the bindings is touched.
    const capture = contextCapturer({ enabled: false, current: () => undefined, set: () => {} });
    const keep = wrapFs(
      this,
      capture,
      (fn) => fn(),
      plan.requests.some(({ api }) => /^fs\.(?:opendir|Dir)\b/.test(api)) ? readDirBinding() : null,
    );
    // What is answered in a microtask is told right behind it, in the phase in which it came.
    wrapJobs(
      this,
      capture,
      (fn) => process.nextTick(fn),
      () => 0,
    );
    wrapZlib(this, capture);
    const later = (fn: () => void): void => void native.setImmediate(fn);
    const wrapSockets = () => wrapChildren(this, capture, wrapNet(this, capture, later));
    const wraps: Readonly<Record<FamilyName, (() => void) | null>> = {
      // Wrapped already, as jobs.
      ...{ nameServers: null, engine: null },
      ...{ connections: wrapSockets, children: wrapSockets },
      datagrams: () => wrapDatagrams(this, capture, later),
      messages: () => wrapPorts(this, capture, later),
      watchers: () => wrapWatchers(this, capture, later, keep),
    };
    const planned = new Set(plan.requests.map(({ api }) => familyNameOf(api)));
    const named = Object.entries(wraps).filter(([family]) => planned.has(family as FamilyName));
    for (const wrap of new Set(named.map(([, wrap]) => wrap))) wrap?.();
    syncBuiltinESMExports();
  }

  /** Runs the program; its requests, and those of all that it sets off, are of the plan. */
  run<T>(main: () => T): T {
    this.planned.met(0);
    const value = this.scope.run(this.root, main);
    afterTurn(() => this.queue.begin());
    return value;
  }

  active(): boolean {
    return this.scope.getStore() === this.root;
  }

  issue(request: HostRequest): void {
    // News are issued when they come, not in a call.
    if (request.kind === 'pool' || familyOf(request.api)?.isInCall) this.inCall();
    if (request.kind === 'close' && request.api === 'MessagePort') {
      this.scope.exit(() => inClosing(() => request.effect(() => request.deliver())));
      return;
    }
    const planned = request.kind === 'close' ? null : this.matcher.take(request, this.siteOf());
    if (planned) {
      if (!familyOf(request.api)?.isOfOthers) this.planned.met(planned.issued);
      this.taken.set(request, planned);
    }
    if (request.kind !== 'pool') {
      this.arrive(request, planned);
      return;
    }
    const job = { request, planned, effects: 0, isGone: false };
    this.jobs.set(request, job);
    this.waiting.push(job);
    this.startNext();
    if (planned?.within) this.carryOut(planned.within);
  }

  private carryOut(effects: readonly number[]): void {
    for (const index of effects) this.queue.goIfThere(index);
    standStill(WITHIN_MS);
  }

  drain(): void {
    native.drain();
  }

  /** What is answered before the ticks and microtasks of the present turn are over is answered within the call (C1). */
  private inCall(): void {
    this.calls += 1;
    afterTurn(() => (this.calls -= 1));
  }

  override get running(): boolean {
    return this.calls > 0;
  }

  override get usesPool(): boolean {
    return !this.queue.inStretch;
  }

  override cancel(request: HostRequest): void {
    this.takenBack.add(request);
    this.isOver(request);
    const job = this.jobs.get(request);
    if (!job) return;
    job.isGone = true;
    const at = this.waiting.indexOf(job);
    if (at >= 0) this.waiting.splice(at, 1);
    this.free(job);
  }

  /** What is no work of the pool happens when it is delivered. */
  private arrive(request: HostRequest, planned: PlannedRequest | null): void {
    const tell = (over: () => void): void => {
      if (!this.takenBack.has(request)) request.deliver();
      over();
    };
    const effect = once((done) => {
      this.isOver(request);
      this.scope.exit(() => request.effect(done));
    });
    const happen = (then: () => void): void => {
      if (this.takenBack.has(request)) then();
      else effect(then);
    };
    const go = (over: () => void): void => happen(() => tell(over));
    const step = planned?.deliver;
    if (step && request.api === 'net.shutdown' && this.queue.isBound(step)) {
      // The kernel needs a round of the loop for it that a stretch does not have; the peer is told later anyway.
      effect(() => this.queue.wait(step, true, tell));
      return;
    }
    const tellNow = () => happen(() => tell(() => {}));
    // Not within the call: who issues it does not know it yet. What nobody planned comes behind what has to come now.
    if (!step && request.kind === 'external') this.scope.exit(() => this.poll.next(tellNow));
    else if (!step || this.queue.isDue(step)) this.scope.exit(() => process.nextTick(tellNow));
    else this.queue.wait(step, true, go, happen);
  }

  private startNext(): void {
    for (let job = this.next(); job; job = this.next()) {
      this.waiting.splice(this.waiting.indexOf(job), 1);
      this.onThreads.add(job);
      this.effect(job);
    }
  }

  /** Slow work takes at most half of the threads. */
  private next(): PoolJob | undefined {
    if (this.onThreads.size === POOL_SIZE) return undefined;
    const slow = [...this.onThreads].filter(({ request }) => request.slow).length;
    return this.waiting.find(({ request }) => !request.slow || slow < (POOL_SIZE + 1) >> 1);
  }

  private effect(job: PoolJob): void {
    const { request, planned, effects } = job;
    this.when(planned?.effects[effects], (over) => {
      if (job.isGone) {
        over();
        return;
      }
      this.scope.exit(() =>
        request.effect((last = false) => {
          job.effects += 1;
          if (!last && job.effects < request.effects) this.effect(job);
          else this.end(job);
          over();
        }),
      );
    });
  }

  private end(job: PoolJob): void {
    const { planned } = job;
    if (planned?.end)
      this.when(planned.end, (over) => {
        this.free(job);
        this.answer(job);
        over();
      });
    else this.answer(job);
  }

  private answer(job: PoolJob): void {
    const step = job.planned?.deliver;
    if (!step || this.queue.isDue(step)) this.tell(job);
    else
      this.queue.wait(step, true, (over) => {
        this.tell(job);
        over();
      });
  }

  private tell(job: PoolJob): void {
    this.free(job);
    this.isOver(job.request);
    job.request.deliver();
  }

  /** What comes behind it may come: it is being told, taken back, or the peer hears of it. */
  private isOver(request: HostRequest): void {
    const planned = this.taken.get(request);
    if (planned) this.matcher.over(planned);
  }

  private free(job: PoolJob): void {
    if (this.onThreads.delete(job)) this.startNext();
  }

  private when(step: PlannedStep | undefined, go: (over: () => void) => void): void {
    if (step && step.index >= 0) this.queue.wait(step, false, go);
    else go(() => {});
  }
}

/** The threads of the pool go on meanwhile. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Begins with the first call; whoever calls is told when it is done. */
function once(begin: (done: () => void) => void): (then: () => void) => void {
  const waiting: (() => void)[] = [];
  let state: 'new' | 'begun' | 'done' = 'new';
  return (then) => {
    if (state === 'done') {
      then();
      return;
    }
    waiting.push(then);
    if (state === 'begun') return;
    state = 'begun';
    begin(() => {
      state = 'done';
      for (const tell of waiting.splice(0)) tell();
    });
  };
}

/** Calls `fn` in the closing phase that comes next: the last first, as libuv does. */
function inClosing(fn: () => void): void {
  const { port1 } = new MessageChannel();
  port1.on('close', fn);
  port1.close();
}

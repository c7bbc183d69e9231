/**
 * The gate: it holds every request of the program (controller.ts) and lets one step after the other happen, each in a
 * macrotask of its own, in the order that a strategy wants and {@link LoopModel} allows.
 *
 * Invariants: a step is chosen only when nothing is in flight, so that what is enabled does not depend on
 * real time; while the gate's own code runs (`busy`) the host is native; a turn is drained before the next.
 */

import { isPromise } from 'node:util/types';
import { withNames } from '../../data/ungated.ts';
import type { Context } from '../../monitor/host/context.ts';
import type { FrameAccess } from '../../monitor/host/controller.ts';
import { type Host, installHost } from '../../monitor/host/install.ts';
import { nameOf } from '../../monitor/host/naming.ts';
import { type HostRequest, isPutOff } from '../../monitor/host/request.ts';
import { keepUnseen } from '../../monitor/loader/unseen.ts';
import type { ReadyStep } from '../strategies/strategy.ts';
import { Bounds } from './bounds.ts';
import { GateController, US } from './controller.ts';
import { ErrorTrap } from './errors.ts';
import { Liveness } from './liveness.ts';
import { native, POOL_SIZE } from './native.ts';
import { Pace } from './pace.ts';
import { CLOSING_TURNS, Quiescence } from './quiescence.ts';
import type { GateOptions, GateResult } from './result.ts';
import { GOES_ROUND } from './rounds.ts';
import { GatedRun, type RunOutcome } from './run.ts';
import { runTurn } from './turn.ts';
import { Waking } from './waking.ts';

/** Where a run goes on beyond its time, whether it may is asked so often, real ms, and not after so many steps. */
const OVERTIME_MS = 1000;
const MOST_STEPS = 5_000_000;

/** Of a script, which is over with its last line; a promise would be told to hooks that it has set. */
function atOnce<T>(
  main: () => T | Promise<T>,
  content: (value: T) => void,
  failed: (error: unknown) => void,
): void {
  try {
    const value = main();
    if (isPromise(value)) value.then(content, failed);
    else content(value);
  } catch (error) {
    failed(error);
  }
}

class Gate extends GateController {
  private readonly trap = new ErrorTrap({
    owns: () => this.scope.getStore() === this.run,
    isOver: () => (this.run?.outcome ?? null) !== null,
    failed: (error, origin, promise) => this.unhandled(error, origin, promise),
  });
  private readonly waking = new Waking(() => this.pump());
  private host: Host | null = null;
  private pace: Pace | null = null;
  /** The program of the run has been called: nothing is decided before. */
  private begun = false;
  private lookAgain = false;
  /** Turns begun so far. */
  private turns = 0;
  private silence: Quiescence | null = null;
  private readonly bounds = new Bounds();
  private resolve: ((result: GateResult<unknown>) => void) | null = null;
  /** `until: idle`: main's own outcome, while others still work. */
  private provisional: RunOutcome<unknown> | null = null;

  install(): void {
    if (this.host) return;
    this.host = this.scope.run(US, () => installHost(this));
    keepUnseen((work) => this.outside(work));
    this.liveness = new Liveness(this.host);
    this.pace = new Pace(this.liveness);
    this.silence = new Quiescence(this.liveness, this.host, this);
  }

  countAnew(): void {
    this.liveness!.countAnew();
  }

  // --- the life of a run

  start<T>(main: () => T | Promise<T>, options: GateOptions): Promise<GateResult<T>> {
    if (this.run) return Promise.reject(new Error('a gated run is under way: only one at a time'));
    this.install();
    const { epoch, monotonic } = options.companions ?? { epoch: native.date(), monotonic: native.now() };
    const run = new GatedRun<T>(options, POOL_SIZE, epoch, monotonic);
    this.run = run as GatedRun<unknown>;
    this.silence!.broken();
    this.host!.begin();
    this.bounds.begin(options.limits.watchdogMs);
    this.clockMoved();
    this.trap.set();
    return new Promise((resolve) => {
      this.resolve = resolve as (result: GateResult<unknown>) => void;
      const launch = () =>
        native.setImmediate(() => {
          this.launch(run, main);
          this.pump();
        });
      const closed = this.outside(() => this.host!.closeIdle());
      const begin = () => {
        this.launch(run, main);
        // What waits for nothing is over before anything else comes, as plainly.
        if (run.outcome && this.bounds.isTidy(run as GatedRun<unknown>))
          this.outside(() => this.finish(run as GatedRun<unknown>));
        else this.kick();
      };
      if (closed) this.outside(() => afterTurns(CLOSING_TURNS, launch));
      else if (options.atOnce) begin();
      // A runner goes on from its hooks to the test in microtasks: what hooks have asked the host for comes behind its first turn.
      else if (options.keptAlive) this.outside(() => native.nextTick(begin));
      else this.outside(launch);
    });
  }

  private launch<T>(run: GatedRun<T>, main: () => T | Promise<T>): void {
    const settled = (outcome: RunOutcome<T>) => this.settle(outcome, run as GatedRun<unknown>);
    this.begun = true;
    this.pumping = true;
    this.inTurn(() => {
      this.scope.run(run, () => {
        this.base = this.host!.capture();
        if (run.options.keptAlive) this.host!.takeOver();
        const failed = (error: unknown) => settled({ status: 'fail', error, origin: 'main' });
        const content = (value: T) => settled({ status: 'ok', value });
        if (run.options.until !== 'idle') new Promise<T>((resolve) => resolve(main())).then(content, failed);
        else atOnce(main, content, failed);
      });
    });
    this.pumping = false;
    this.busy = false;
  }

  /** Main is settled, or nobody handled an error. What is left to do does not change the verdict. */
  private settle(outcome: RunOutcome<unknown>, run = this.run): void {
    if (!run || run !== this.run || run.outcome) return;
    if (outcome.status === 'ok' && run.options.until === 'idle') this.provisional = outcome;
    else this.decide(run, outcome);
    this.kick();
  }

  /**
   * Nobody handled an error. What the turn that settles main leaves unhandled comes behind that, and so do the turns
   * that are only carried out: natively it belongs to whoever runs the test.
   */
  private unhandled(error: unknown, origin: 'exception' | 'rejection', promise?: unknown): void {
    const { run } = this;
    const isOver = run?.outcome?.status === 'ok' && this.running;
    if (isOver && run.decidedIn === this.turns) run.afterwards ??= { error, origin, promise };
    else if (isOver && !run.outlived) run.later ??= { error, origin, promise };
    else this.settle({ status: 'fail', error, origin });
  }

  private decide(run: GatedRun<unknown>, outcome: RunOutcome<unknown>): void {
    run.outcome = outcome;
    run.decidedIn = this.turns;
    this.bounds.decided(run);
    run.options.observer?.settled?.();
  }

  private finish(run: GatedRun<unknown>): void {
    const { left } = this.trap;
    if (left && run.outcome!.status === 'ok') run.outcome = { status: 'fail', origin: 'rejection', ...left };
    const { status } = run.outcome!;
    const waits = status === 'deadlock' || status === 'watchdog' ? run.waits() : [];
    const told = run.result(waits);
    const children = this.host!.processes();
    const around = this.host!.found();
    const result = { ...told, children, around, ungated: withNames(told.ungated, children) };
    this.waking.never();
    const { handsOver, isLast } = run.options;
    this.host!.drop(handsOver ? 'goes on' : isLast ? 'stays' : 'never comes');
    this.trap.unset();
    this.run = null;
    this.begun = false;
    run.model.release();
    this.provisional = null;
    for (const request of run.handedOver) native.setImmediate(() => request.handOver?.());
    const { resolve } = this;
    this.resolve = null;
    resolve?.(result);
  }

  protected override clockMoved(): void {
    this.pace!.clockMoved();
  }

  protected override behind(): number {
    return this.pace!.behind(this.run!);
  }

  // --- one step after the other

  protected override kick(): void {
    if (this.pumping || !this.begun) return;
    this.silence!.broken();
    this.outside(() => this.waking.soon());
  }

  /** The execution of all threads is over: what is left here is not carried out. */
  private abandon(run: GatedRun<unknown>): void {
    this.decide(run, { status: 'deadlock' });
    this.finish(run);
  }

  /** Runs `fn` natively, as if the run were not there. In a process that is not gated everything is native. */
  outside<R>(fn: () => R): R {
    if (!this.host) return fn();
    const { busy } = this;
    this.busy = true;
    try {
      return this.host.outside(fn);
    } finally {
      this.busy = busy;
    }
  }

  /** See {@link Host.ask}. */
  ask<T>(api: string, start: () => Promise<T>): Promise<T> {
    return this.active() ? this.host!.ask(api, start) : start();
  }

  surroundAnew(): void {
    this.host?.surroundAnew();
  }

  adoptRealm(realm: typeof globalThis): void {
    // Where tests are only listened to nothing is held.
    this.host?.adoptRealm(realm);
  }

  private pump(): void {
    if (!this.pumping && this.begun) this.pumped(() => this.loop(this.run!));
  }

  /** Runs `fn`, in which turns may be run, as a part of the pump: now, or in a macrotask in which something came. */
  private pumped(fn: () => void): void {
    if (this.pumping) {
      fn();
      return;
    }
    this.pumping = true;
    try {
      this.outside(fn);
    } finally {
      this.pumping = false;
    }
  }

  /** Takes steps until there is something to wait for. */
  private loop(run: GatedRun<unknown>): void {
    // Only a turn can begin or end work that is not gated.
    let alive = this.pace!.look(run);
    while (this.run === run) {
      if (run.outcome ? this.bounds.isTidy(run) : this.isLate(run)) {
        this.finish(run);
        return;
      }
      if (run.inFlight > 0) {
        if (!this.waking.waiting) this.waking.within(this.bounds.left());
        return;
      }
      const patience = run.outcome ? 0 : run.patience.expecting();
      if (patience > 0) {
        this.waking.within(Math.min(patience, this.bounds.left()));
        return;
      }
      if (this.lookAgain) {
        this.lookAgain = false;
        const before = alive;
        alive = this.pace!.look(run);
        // What just began may have news already. And Node brings some that nobody can list: signals, and what the engine
        // puts off to the loop; without rule C6 their turn would drain what this one left.
        if ((run.rules.rounds && run.rules.drains) || (alive && !before)) {
          this.waking.soon();
          return;
        }
      }
      if (run.outcome) run.model.horizon = Math.min(run.model.horizon, this.bounds.tidyClock);
      const { companions } = run.options;
      if (companions && !run.outcome) for (const request of companions.arrived()) this.issue(request);
      const ready = run.ready();
      if (companions && !run.outcome && ready.length > 0) {
        const first = Math.min(...ready.map(({ step }) => step.due ?? 0));
        const came = first > run.now ? companions.rest(first) : 'time';
        if (came === 'over') this.abandon(run);
        if (came !== 'time') continue;
        const claimed = companions.claim();
        if (claimed === 'over') this.abandon(run);
        if (claimed !== 'now') continue;
      }
      if (!run.outcome && run.leaps(ready) && this.silence!.awaitsAround()) {
        this.waking.within(1);
        return;
      }
      if (ready.length === 0 || (run.isIdle && !run.outcome && !this.host!.awaitsMessages())) {
        this.rest(run, alive);
        return;
      }
      this.silence!.broken();
      const ms = run.mayWait(ready, alive && !companions);
      const before = run.now;
      const picked = run.choose(ready);
      if ('wait' in picked) {
        run.patience.wait();
        this.waking.within(Math.min(picked.wait, ms, run.untilTimer, this.bounds.left()));
        return;
      }
      run.patience.stepped(run.now - before);
      if (run.now !== before) this.clockMoved();
      this.take(run, picked);
      if (alive || this.host!.tellsDestroyed()) {
        // The kernel must get a chance to bring news of what is not gated, and Node to tell what is gone.
        this.waking.soon();
        return;
      }
    }
  }

  private take(run: GatedRun<unknown>, { name, request, step }: ReadyStep): void {
    const { companions } = run.options;
    if (companions && !run.outcome && !companions.step(step.kind, request, run.now, name)) {
      this.abandon(run);
      return;
    }
    if (step.kind === 'effect') this.effect(run, request, () => {});
    else if (step.kind === 'deliver' && request.kind === 'pool' && !run.rules.effects) {
      this.deliver(run, request);
      this.effects(run, request);
    } else if (request.kind === 'external' || request.kind === 'close') this.arrival(run, request);
    else if (step.kind !== 'end') this.deliver(run, request);
    if (run.outcome) return;
    const { forLong, unwaited } = run.goesRound(request);
    if (forLong && run.isForcedTest && !this.pace!.isAlive && this.silence!.isAlone)
      this.decide(run, { status: 'deadlock', missing: GOES_ROUND });
    else if (unwaited && (forLong || !run.isForcedTest))
      this.decide(run, this.provisional ?? { status: 'watchdog' });
  }

  private effect(
    run: GatedRun<unknown>,
    request: HostRequest,
    then: (last: boolean) => void,
    within = false,
  ): void {
    run.inFlight += 1;
    request.effect((last = false) => {
      if (this.run !== run) return;
      run.inFlight -= 1;
      if (last) run.model.finish(request.id);
      this.changed(request);
      if (!run.outcome) {
        run.options.companions?.effect(request);
        run.options.observer?.effect?.(request, within);
      }
      then(last);
      this.pump();
    });
  }

  protected override changed(request: HostRequest): void {
    if (this.host!.watches() && request.accesses().some(({ write }) => write)) this.host!.changed();
  }

  protected override effectNow(request: HostRequest): void {
    this.outside(() => this.effect(this.run!, request, () => {}, true));
  }

  /** What happens outside of the pool happens when it is delivered. */
  private arrival(run: GatedRun<unknown>, request: HostRequest): void {
    run.inFlight += 1;
    request.effect(() => {
      if (this.run !== run) return;
      run.inFlight -= 1;
      this.pumped(() => this.deliver(run, request));
      this.pump();
    });
  }

  /** Without rule C8: what was answered takes effect. */
  private effects(run: GatedRun<unknown>, request: HostRequest): void {
    this.effect(run, request, (last) => {
      if (!last) this.effects(run, request);
    });
  }

  private deliver(run: GatedRun<unknown>, request: HostRequest): void {
    run.entries.delete(request.id);
    if (run.outcome && !request.ref) run.outlived = true;
    const observer = run.outcome ? undefined : run.options.observer;
    this.lookAgain = true;
    this.turn = request;
    observer?.turn?.(request);
    this.inTurn(() => {
      request.deliver();
      if (isPutOff(request)) this.besides(run);
    });
    this.turn = null;
    observer?.turnEnd?.();
  }

  /** What name servers have answered comes together, and only then what the callbacks left to ticks and microtasks. */
  private besides(run: GatedRun<unknown>): void {
    const observer = run.outcome ? undefined : run.options.observer;
    for (let next = run.sameTurn(); next; next = run.sameTurn()) {
      const { request } = next;
      run.entries.delete(request.id);
      observer?.turnEnd?.();
      this.turn = request;
      observer?.turn?.(request);
      request.deliver();
    }
  }

  private inTurn(fn: () => void): void {
    const callback = () => {
      try {
        fn();
      } finally {
        this.ticking = true;
        this.ticks.begin();
      }
    };
    this.busy = false;
    this.turns += 1;
    this.ticking = false;
    this.calls = 0;
    const { stacks } = this.host!;
    const depth = stacks.deepen();
    const within: Context = (drain) => this.base(drain);
    runTurn(callback, this.rules.drains, this.host!.unwind, (error) => this.threw(error), within);
    stacks.shallow(depth);
    if (this.ticks.end()) this.askedAmidHeads();
    this.ticking = false;
    this.busy = true;
  }

  /** Node tells what was known in the call before these ticks, and the gate behind them: that is no proof (C9). */
  private askedAmidHeads(): void {
    this.run?.model.ticked();
    if (this.turn) this.doubt(this.turn.api);
  }

  private threw(error: unknown): void {
    try {
      this.trap.threw(error);
    } catch (again) {
      this.settle({ status: 'fail', error: again, origin: 'exception' });
    }
  }

  // --- the end

  /** Nothing is enabled: waits for something, or ends the run. */
  private rest(run: GatedRun<unknown>, alive: boolean): void {
    const silent = this.silence!.look(run, alive, this.provisional);
    if (silent === 'abandoned') this.abandon(run);
    else if ('outcome' in silent) {
      if (!run.outcome) this.decide(run, silent.outcome);
      this.finish(run);
    } else if (silent.wait === 0) this.waking.soon();
    else this.waking.within(Math.min(silent.wait, this.bounds.left()));
  }

  private isLate(run: GatedRun<unknown>): boolean {
    if (!this.bounds.isLate(run.inFlight > 0 || this.silence!.isOn)) return false;
    if (run.steps.length < MOST_STEPS && run.options.goesOn?.()) {
      this.bounds.begin(OVERTIME_MS);
      return false;
    }
    this.decide(run, { status: 'watchdog' });
    return true;
  }
}

function afterTurns(turns: number, then: () => void): void {
  if (turns === 0) then();
  else native.setImmediate(() => afterTurns(turns - 1, then));
}

const gate = new Gate();

/** Wraps the host, before any code of the user. What the test runner has open by now is not waited for, nor what it has at a later call. */
export function installGate(): void {
  gate.install();
  gate.countAnew();
}

/** Runs `main` with every request held and released in the order of `options.strategy`. */
export function runGated<T>(main: () => T | Promise<T>, options: GateOptions): Promise<GateResult<T>> {
  return gate.start(main, options);
}

/** Runs `fn` as if no run were on: what it begins is not the program's. */
export const natively = <T>(fn: () => T): T => gate.outside(fn);

/** Asks something outside of this process in the name of the program: the answer comes in a turn of its own. */
export const ask = <T>(api: string, start: () => Promise<T>): Promise<T> => gate.ask(api, start);

/** See {@link Host.surroundAnew}. */
export const surroundAnew = (): void => gate.surroundAnew();

/** See {@link Host.adoptRealm}. */
export const adoptRealm = (realm: typeof globalThis): void => gate.adoptRealm(realm);

/** A turn of the program is running. */
export const isRunning = (): boolean => gate.running;

/** A run is on. */
export const isGated = (): boolean => gate.run !== null;

/** Nothing of the run is under way; outside of a run nobody knows. */
export const isAtRest = (): boolean => gate.run?.isAtRest ?? true;

/** The name of what is asked for now; the same in every run. */
export const nameNow = (api: string): string => nameOf(gate, api);

/** The present place among all that is issued; handles are told apart by it. */
export const placeNow = (): number => gate.place();

/** Asks the gate for the answer to a call that is assumed to be I/O. */
export const assumedAnswer = gate.assume;

export type { GateView, ReadyStep, Strategy } from '../strategies/strategy.ts';
export type { GateObserver, GateOptions, GateResult, GateRules, Unhandled } from './result.ts';
export type { FrameAccess };

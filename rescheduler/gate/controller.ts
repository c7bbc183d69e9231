/** What the host asks of the gate: whether running code belongs to a run, what becomes of a request, what time it is. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { answerTo } from '../../monitor/host/assumed.ts';
import type { Context } from '../../monitor/host/context.ts';
import type { BegunBy, FrameAccess, HostController } from '../../monitor/host/controller.ts';
import { type HostRequest, isAfterOthers, isPutOff } from '../../monitor/host/request.ts';
import type { Liveness } from './liveness.ts';
import { native } from './native.ts';
import { ALL_GATE_RULES, type GateRules } from './result.ts';
import type { GatedRun } from './run.ts';
import { Ticks } from './ticks.ts';

/** Threads share one clock, on which the time that the child of one of them takes does not pass. */
const UNTIMED = 'the time of a child beside threads';

/** In the place of a run where what we do ourselves is under way. */
export const US = {};

export abstract class GateController implements HostController {
  run: GatedRun<unknown> | null = null;
  turn: HostRequest | null = null;
  readonly usesPool = false;
  readonly holdsCloses = true;
  base: Context = (fn) => fn();
  /** What runs in the context of a run has that run here. */
  protected readonly scope = new AsyncLocalStorage<object>();
  protected liveness: Liveness | null = null;
  /** The gate's own code runs: the host is native. */
  protected busy = false;
  protected pumping = false;
  /** The callback of the present turn has returned; its ticks and microtasks run. */
  protected ticking = false;

  protected readonly ticks = new Ticks();
  /** Synchronous calls of the present turn that touched files. */
  protected calls = 0;

  /** Carries out the effect of a request within the present turn. */
  protected abstract effectNow(request: HostRequest): void;

  /** A file operation took effect. */
  protected abstract changed(request: HostRequest): void;

  /** The clock of the run has moved. */
  protected abstract clockMoved(): void;

  /** Something new came while the gate was waiting. */
  protected abstract kick(): void;

  /** How far real time is ahead of the clock of the run, ms; 0 where nothing is alive that the gate does not control. */
  protected abstract behind(): number;

  active(api?: string): boolean {
    const { run } = this;
    if (run === null || this.busy || !this.isOfRun()) return false;
    return api === undefined || !run.options.without?.includes(api);
  }

  get running(): boolean {
    return this.pumping && !this.busy;
  }

  /** What a hook has begun goes on in the run where a turn of that wakes it. */
  private isOfRun(): boolean {
    const begunBy = this.begunBy();
    return begunBy === 'run' || (begunBy === 'around' && this.running);
  }

  get takesOver(): boolean {
    const { run } = this;
    return run?.options.keptAlive === true && !run.outcome && !this.busy && this.begunBy() === 'around';
  }

  begunBy(): BegunBy {
    const run = this.scope.getStore();
    if (run === undefined) return 'around';
    if (run === US) return 'us';
    return run === this.run ? 'run' : 'earlier';
  }

  drain(): void {
    native.drain();
  }

  get frames(): FrameAccess {
    return this.run!.options.frames;
  }

  get root(): object {
    return this.run ?? this;
  }

  events(): number {
    return this.run?.options.observer?.events?.() ?? 0;
  }

  get rules(): GateRules {
    return this.run?.rules ?? ALL_GATE_RULES;
  }

  get follows(): boolean {
    return this.run !== null && this.run.options.companions === undefined;
  }

  get asksAlone(): boolean {
    return this.run?.options.limits.asksAlone === true;
  }

  get assumesIo(): boolean {
    return this.run?.options.limits.assumeIo === true;
  }

  /** The answer to a call that is taken for I/O. */
  readonly assume = (fn: string, site: number): Promise<void> | null => answerTo(this, fn, site);

  issue(request: HostRequest): void {
    const run = this.run!;
    if (request.kind !== 'external' && request.kind !== 'close') this.catchUp();
    run.issue(request, this.ticking);
    if (isAfterOthers(request) && run.options.companions) this.doubt(UNTIMED);
    if (!run.outcome) {
      run.options.companions?.issued(request, run.now);
      run.options.observer?.issued?.(request);
    }
    this.kick();
  }

  cancel(request: HostRequest, restarts = false): void {
    const { run } = this;
    if (!run) return;
    run.cancel(request, restarts, this.ticking);
    run.options.companions?.withdrawn(request);
    if (!run.outcome) run.options.observer?.takenBack?.(request);
  }

  stands(process: string, isStanding: boolean): void {
    if (isStanding) this.run?.standing.add(process);
    else this.run?.standing.delete(process);
  }

  setRef(request: HostRequest, ref: boolean): void {
    request.ref = ref;
    this.run?.model.setRef(request.id, ref);
  }

  touching(): void {
    const { run } = this;
    if (!run || run.outcome) return;
    run.options.companions?.calls?.();
    // Between threads a step of the loop passes the token on, which only happens between turns.
    if (!this.running || run.options.companions) return;
    this.calls += 1;
    for (let step = run.early(this.calls); step; step = run.early(this.calls)) this.effectNow(step.request);
  }

  touched(request: HostRequest): void {
    const run = this.run!;
    run.microseconds.called(request.api);
    this.changed(request);
    if (run.outcome) return;
    run.options.companions?.called?.(request);
    run.options.observer?.touched?.(request);
  }

  begin(api: string, keepsAlive?: () => boolean): () => void {
    return this.liveness!.begin(api, () => this.kick(), keepsAlive);
  }

  expect(): () => void {
    const { run } = this;
    if (!run) return () => {};
    const came = run.patience.expect();
    return () => {
      if (came()) this.kick();
    };
  }

  doubts(what: string): boolean {
    return this.run?.doubts.has(what) === true;
  }

  doubt(what: string): void {
    if (!this.run) return;
    this.run.doubt(what);
    // It may be over before the gate looks.
    this.run.ungated[what] ??= 1;
  }

  otherClock(what: string): void {
    if (this.run?.hasLeapt) this.doubt(what);
  }

  /**
   * In a turn that came straight from Node it is as late as others say it is: a peer in another process goes by real time,
   * and a timer that is set now must not be over there before.
   */
  private catchUp(): void {
    const { run } = this;
    if (!run || this.running || run.outcome || run.options.companions) return;
    const ms = this.behind();
    if (ms <= 0) return;
    run.caughtUp(ms);
    this.clockMoved();
  }

  clock(isUnheard: () => boolean): number {
    this.catchUp();
    const run = this.run!;
    const { model, options } = run;
    if (options.companions) return options.companions.now(model.readClock());
    if (model.isRead || !isUnheard()) {
      const { now } = model;
      run.look();
      if (model.now !== now) this.clockMoved();
      model.readClock();
    }
    return model.now + run.microseconds.ms;
  }

  waited(ms: number, isChild = false): void {
    const run = this.run!;
    if (run.options.companions) {
      // Others would be as late as that, and need not be.
      if (isChild) this.doubt(UNTIMED);
    } else if (ms > 0) {
      run.waited(ms);
      this.clockMoved();
    }
  }

  epoch(): number {
    return this.run!.epoch;
  }

  monotonic(): number {
    return this.run!.monotonic;
  }

  place(): number {
    return this.run!.model.place();
  }

  amidHeads(): number {
    if (!this.turn || !isPutOff(this.turn) || !this.running || this.ticking) return -1;
    this.ticks.asked = true;
    return this.place();
  }

  moment(): number {
    return this.run!.model.moment;
  }

  timeOf(moment: number): number {
    const { epoch, model, options } = this.run!;
    const at = model.tell(moment);
    return epoch + (options.companions ? options.companions.then(at) : at);
  }

  virtualTime(real: number): { readonly time: number; readonly doubtful: boolean } {
    const { time, doubtful } = this.run!.virtualTime(real);
    // Another thread may have made it, by a clock that was elsewhere.
    return { time, doubtful: doubtful || (this.run!.options.companions !== undefined && time !== real) };
  }
}

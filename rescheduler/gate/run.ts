/** The state of one gated run: its model of the loop, its requests, its record. */
import { RememberingLoop } from '../../data/feasibility/exact/remembering.ts';
import type { Step } from '../../data/feasibility/exact/steps.ts';
import { DEFAULT_LOOP } from '../../data/feasibility/rules.ts';
import { deliveryOf, effectInTurn, effectOf, requestOf, spell } from '../../data/schedule-step.ts';
import { unitsOf } from '../../monitor/host/elapsed.ts';
import {
  type ArrivedRequest,
  type HostRequest,
  isAfterOthers,
  type PooledRequest,
} from '../../monitor/host/request.ts';
import { ObservedStrategy } from '../strategies/observed.ts';
import type { GateView, ReadyStep, Strategy, Wait } from '../strategies/strategy.ts';
import { Microseconds } from './microseconds.ts';
import { native } from './native.ts';
import { Patience } from './patience.ts';
import {
  ALL_GATE_RULES,
  type GateOptions,
  type GateResult,
  type GateRules,
  type Late,
  type Stopped,
} from './result.ts';
import { type GoesRound, Rounds } from './rounds.ts';

const realDate = Date.now;

/** Before so many synchronous calls of a turn an effect may come; before later ones only what the program has waited for. */
const MOST_CALLS = 9;
/** The stall sentence needs the latest few requests, not all. */
const MOST_LATE = 20;

/** The kernel stamps files with a clock that ticks every few ms. */
const FILE_TIME_LAG = 10;

/**
 * So far ahead, in ms, the clock of the run comes without a leap: what children take is counted in full units of 10 ms, so a
 * few of them put it ahead by as many units.
 */
const CLOCK_LEAD = 50;

interface IssuedRequest {
  readonly request: HostRequest;
  readonly order: number;
  /** Names of its steps; made once, because a step is offered many times before it is taken. */
  readonly effect: string;
  readonly deliver: string;
  /** Real time at which it was issued, where another process stands still since. */
  readonly since: number;
}

const isOthers = (request: HostRequest): boolean => request.kind === 'external' && request.isOthers === true;

/** Of the name of a step of another process, the part that all of its steps have. */
const processOf = (name: string): string => name.slice(0, name.lastIndexOf('>') + 1);

function nameOf(kind: Step['kind'], { request, effect, deliver }: IssuedRequest): string {
  if (kind === 'end') return spell('release', request.name);
  return kind === 'effect' ? effect : deliver;
}

/** The answer to a request without effects of its own has come. */
function isHere(request: HostRequest): boolean {
  let here = false;
  request.effect(() => {
    here = true;
  });
  return here;
}

const handsOver = (request: HostRequest): request is PooledRequest =>
  request.kind === 'pool' && request.handOver !== undefined;

/** What Node knew in the call, it has to bring. */
const isOwed = (request: HostRequest): boolean =>
  request.kind === 'external' && request.how.by === 'resolver' && request.how.known !== null;

export type RunOutcome<T> = Pick<GateResult<T>, 'status' | 'value' | 'error' | 'origin' | 'missing'>;

export class GatedRun<T> implements GateView {
  readonly options: GateOptions;
  readonly rules: GateRules;
  readonly model: RememberingLoop;
  readonly entries = new Map<number, IssuedRequest>();
  readonly steps: string[] = [];
  readonly ungated: Record<string, number> = {};
  /** Sources of events that the gate could not foresee (C7): a failure of this run proves nothing. */
  readonly doubts = new Set<string>();
  /** Real ms of the epoch, and of the monotonic clock, at which the run began. */
  readonly epoch: number;
  readonly monotonic: number;
  /** What the turn that decided the run left unhandled, and which turn that was. */
  afterwards: GateResult<T>['afterwards'];
  decidedIn = 0;
  /** The same of the turns behind it, as far as they natively come for certain. */
  later: GateResult<T>['afterwards'];
  /** Something was carried out behind the verdict for which the process would not have stayed alive. */
  outlived = false;
  /** Set as soon as the verdict is known. */
  outcome: RunOutcome<T> | null = null;
  readonly patience = new Patience();
  readonly microseconds: Microseconds;
  /** Something outside is at work whose news the strategy may wait for; a timer waits for real time to pass. */
  private news = false;
  private blocked = false;
  /** See {@link GateView.slept}. */
  slept = 0;
  /** The clock of the run has been ahead of all others. */
  hasLeapt = false;
  /** Effects under way in the kernel. */
  inFlight = 0;
  /** Real and virtual time of every move of the clock, for file times. */
  private readonly moves: { real: number; virtual: number }[] = [];
  private readonly choices: string[][] = [];
  /** What requests were about, for those that may turn out late. */
  private readonly about = new Map<number, Pick<Late, 'api' | 'what'>>();
  private readonly fallback = new ObservedStrategy();
  private strategy: Strategy;
  private stopped: Stopped | null = null;
  private lastId = 0;
  private readonly rounds = new Rounds();
  /** Intervals of Node's upkeep that have gone off since anything else happened. */
  private readonly upkept = new Set<string>();
  private breadth = 0;
  /** See {@link GateResult.paced}. */
  private paced = false;
  /** The longest time that another process stood still for a step, real ms. */
  private longestHold = 0;

  constructor(options: GateOptions, poolSize: number, epoch: number, monotonic: number) {
    this.options = options;
    this.rules = { ...ALL_GATE_RULES, ...options.rules };
    this.strategy = options.strategy;
    this.epoch = epoch;
    this.monotonic = monotonic;
    const { maxStallMs, maxPauseMs, loopback = DEFAULT_LOOP.loopback, slowMachine } = options.limits;
    this.microseconds = new Microseconds(slowMachine);
    const firstTurn = options.firstTurn ?? 'before';
    const bounds = { maxStallMs, maxPauseMs, firstTurn, loopback };
    this.model = new RememberingLoop({ rules: this.rules, poolSize, ...bounds });
  }

  get now(): number {
    return this.model.now;
  }

  get taken(): readonly string[] {
    return this.steps;
  }

  doubt(what: string): void {
    if (this.doubts.has(what)) return;
    this.doubts.add(what);
    this.options.companions?.doubted?.(what);
  }

  pendingNames(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { request } of this.entries.values()) names.add(request.name);
    return names;
  }

  mayCome(step?: string): boolean {
    if (step && this.standsElsewhere(requestOf(step))) return false;
    return (
      (this.news || this.blocked) && (this.blocked || !step || !this.pendingNames().has(requestOf(step)))
    );
  }

  /** Another process stands still before one step until that is granted: until then it comes to no other one of its own. */
  private standsElsewhere(wanted: string): boolean {
    const who = processOf(wanted);
    if (this.standing.has(who)) return true;
    for (const { request } of this.entries.values())
      if (isOthers(request) && request.name !== wanted && processOf(request.name) === who) return true;
    return false;
  }

  /** Time has to pass for one of these steps. */
  leaps(ready: readonly ReadyStep[]): boolean {
    return ready.some(({ step: { due = 0 } }) => due > this.now);
  }

  /** For how many ms the strategy may wait with these steps before it, if something outside is at work. */
  mayWait(ready: readonly ReadyStep[], atWork: boolean): number {
    const { blockedUntil, horizon } = this.model;
    // Where nothing of this process is kept waiting, others may be as late as anything may.
    const areOthers = ready.every(({ request }) => isOthers(request));
    const left = !atWork ? 0 : areOthers ? Math.max(0, this.holdLeft(ready)) : this.patience.left;
    // Until a timer may fire nothing is late; but another one would be.
    this.blocked =
      atWork && blockedUntil < Number.POSITIVE_INFINITY && !ready.some(({ step }) => step.kind === 'timer');
    this.news = left > 0;
    return Math.max(left, this.blocked ? blockedUntil - horizon : 0);
  }

  /** In how many ms a timer may fire for which the real clock is waited; it is news as well. */
  get untilTimer(): number {
    const { blockedUntil, horizon } = this.model;
    return blockedUntil > horizon ? blockedUntil - horizon : Number.POSITIVE_INFINITY;
  }

  /**
   * A test of one thread in a forced order: it waits for its body, and nobody beside it does anything. In the observed order it is
   * for whoever runs the test to give it up.
   */
  get isForcedTest(): boolean {
    const { companions, until } = this.options;
    return until !== 'idle' && !companions && !(this.strategy instanceof ObservedStrategy);
  }

  /** Whether nothing but timers that come again and again is left, where no effect is under way. */
  goesRound(request: HostRequest): GoesRound {
    const pending = (): HostRequest[] => [...this.entries.values()].map((entry) => entry.request);
    const { forLong, unwaited } = this.rounds.look(request, this.now, pending);
    return { forLong: forLong && this.inFlight === 0, unwaited };
  }

  /** Nothing is left but that Node looks after servers, which it has done for each since anything else happened. */
  get isIdle(): boolean {
    const isDone = ({ request }: IssuedRequest) =>
      request.kind === 'timer' && request.upkeep !== undefined && this.upkept.has(request.upkeep);
    return this.upkept.size > 0 && [...this.entries.values()].every(isDone);
  }

  /** The program goes on behind the run, and nothing is left of it that Node cannot go on with. */
  get mayHandOver(): boolean {
    const isNodes = ({ request }: IssuedRequest) =>
      request.kind === 'timer' || request.kind === 'immediate' || handsOver(request);
    return this.options.handsOver === true && [...this.entries.values()].every(isNodes);
  }

  /** What is left of the program that Node has to be told to go on with. */
  get handedOver(): PooledRequest[] {
    return this.mayHandOver ? [...this.entries.values()].map(({ request }) => request).filter(handsOver) : [];
  }

  /** A timer will go off, but for those of Node's upkeep. */
  get awaitsTimer(): boolean {
    const { model, entries } = this;
    if (model.awaitsTimer || !model.keptAlive) return model.awaitsTimer;
    return [...entries.values()].some(({ request }) => request.kind === 'timer' && !request.upkeep);
  }

  /** Nothing is under way: what is left comes again and again, or keeps nothing alive. */
  get isAtRest(): boolean {
    const isLeft = ({ request }: IssuedRequest): boolean =>
      request.kind === 'timer' && (request.repeats === true || !request.ref || request.upkeep !== undefined);
    return this.inFlight === 0 && [...this.entries.values()].every(isLeft);
  }

  /** Processes that wait for what another one has locked: nothing comes from these before a step releases it. */
  readonly standing = new Set<string>();

  /** Registers a request with the model; `ticking`: it is issued in a tick or a microtask. */
  issue(request: HostRequest, ticking: boolean): void {
    const id = ++this.lastId;
    request.id = id;
    const { name } = request;
    const others = isOthers(request);
    this.entries.set(id, {
      request,
      // Which of two processes was quicker to ask is nobody's choice: who went on first is first.
      order: (others && request.behind?.id) || id,
      effect: effectOf(name),
      deliver: deliveryOf(name),
      since: others ? native.now() : 0,
    });
    if (request.kind === 'timer') {
      const { delay, ref, repeats, again } = request;
      this.model.startTimer(id, delay, { ref, ticking, repeats, again });
    } else if (request.kind === 'immediate') this.model.startImmediate(id);
    else if (request.kind === 'close') this.model.close(id);
    else {
      if (request.kind === 'external') this.arrive(request);
      else this.model.issue(id, request.effects, request.slow);
      if (!this.outcome) this.about.set(id, { api: request.api, what: request.what });
    }
  }

  /** `ticking`: in a tick or a microtask. */
  cancel(request: HostRequest, restarts: boolean, ticking: boolean): void {
    const isPending = this.entries.delete(request.id);
    if (request.kind === 'timer') this.model.cancelTimer(request.id, restarts, ticking);
    else if (!isPending) return;
    else if (request.kind === 'immediate') this.model.cancelImmediate(request.id);
    else this.model.withdraw(request.id);
  }

  /** The steps of the model with the requests behind them, sorted by name. */
  ready(): ReadyStep[] {
    return this.readied(this.model.enabled());
  }

  private readied(steps: readonly Step[]): ReadyStep[] {
    const ready: ReadyStep[] = [];
    for (const step of steps) {
      const entry = this.entries.get(step.id) as IssuedRequest;
      ready.push({ name: nameOf(step.kind, entry), step, request: entry.request, order: entry.order });
    }
    if (ready.length > 1) ready.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    // Processes of which the clock of this one says nothing: what one of them does meanwhile takes real time.
    const overdue = ready.filter((each) => isOthers(each.request) && this.holdLeft([each]) <= 0);
    return overdue.length > 0 ? overdue : ready;
  }

  /** For how many more ms all of these may be held, which are steps of other processes. */
  private holdLeft(ready: readonly ReadyStep[]): number {
    const first = Math.min(...ready.map(({ request }) => this.sinceOf(request)));
    return first + this.options.limits.maxStallMs - native.now();
  }

  private sinceOf({ id }: HostRequest): number {
    return this.entries.get(id)?.since ?? Number.POSITIVE_INFINITY;
  }

  /** Another step of so many could have been taken, or a timer that waits for real time. */
  private widen(ready: number): void {
    const { horizon } = this.model;
    const isPaced = horizon < Number.POSITIVE_INFINITY && this.model.blockedUntil < Number.POSITIVE_INFINITY;
    this.paced ||= isPaced;
    const options = ready + (isPaced ? 1 : 0);
    if (options > 1) this.breadth += Math.log(options);
  }

  /** Asks the strategy, and takes the step in the model, unless it wants to wait. */
  choose(ready: readonly ReadyStep[]): ReadyStep | Wait {
    const tidying = this.outcome !== null;
    const picked = tidying ? this.fallback.choose(ready) : this.ask(ready);
    if ('wait' in picked) return picked;
    if (!tidying) {
      this.took(picked.name);
      this.widen(ready.length);
      if (this.options.wantChoices) this.choices.push(ready.map((r) => r.name));
    }
    const before = this.model.now;
    const sleeps = this.sleepUntil(picked.step);
    this.model.take(picked.step, sleeps > 0 ? this.microseconds.slept(sleeps) : 0);
    const { request } = picked;
    if (isOthers(request) && !tidying)
      this.longestHold = Math.max(this.longestHold, native.now() - this.sinceOf(request));
    if (request.kind === 'timer' && request.upkeep) this.upkept.add(request.upkeep);
    else this.upkept.clear();
    if (picked.step.kind === 'deliver') this.microseconds.answered(request);
    const ms = this.model.now - before;
    if (sleeps === 0) this.microseconds.stepped(ms);
    if (ms > 0) this.moved(isAfterOthers(picked.request) ? ms : 0);
    return picked;
  }

  /** For so many ms the loop sleeps until this step; 0 where others say how fast time passes. */
  private sleepUntil({ due = 0 }: Step): number {
    const { model, options } = this;
    if (options.companions || model.horizon < Number.POSITIVE_INFINITY) return 0;
    return Math.max(0, due - model.now);
  }

  private took(step: string): void {
    this.steps.push(step);
    this.options.journal?.(step);
  }

  /** The program looks at the clock: the full ms that are over with it pass. */
  look(): void {
    this.rounds.clockRead();
    const ms = this.microseconds.look();
    if (ms === 0) return;
    if (this.microseconds.waits) this.slept = this.lastId;
    this.model.wait(ms);
    this.moved(0);
  }

  /** The program has waited within the present turn for so many ms. */
  waited(ms: number): void {
    this.slept = this.lastId;
    this.caughtUp(ms);
  }

  /** So many ms have passed, in which nothing was done. */
  caughtUp(ms: number): void {
    this.model.wait(ms);
    this.moved(ms);
  }

  /** The clock has moved, for so many ms as real time did. */
  private moved(ms: number): void {
    const [real, virtual] = [realDate(), this.model.now];
    for (let left = ms - FILE_TIME_LAG; left > 0; left -= FILE_TIME_LAG)
      this.moves.push({ real: real - left, virtual: virtual - left });
    this.moves.push({ real, virtual });
    if (this.epoch + virtual > real + CLOCK_LEAD) this.hasLeapt = true;
  }

  private arrive({ id, how, behind }: ArrivedRequest): void {
    // Where the clocks of other threads stand meanwhile nobody knows.
    const given = how.by === 'handle' && this.options.companions ? { ...how, after: undefined } : how;
    this.model.arrive(id, given, behind?.id);
  }

  /** The effect that comes before the synchronous call of this number in the present turn; null where none does. */
  early(call: number): ReadyStep | null {
    const { strategy, options } = this;
    if (!strategy.early || !this.rules.effects || (call > MOST_CALLS && this.slept === 0)) return null;
    if (strategy instanceof ObservedStrategy && this.slept === 0) return null;
    const ready: ReadyStep[] = [];
    for (const step of this.model.effects()) {
      const { request, order } = this.entries.get(step.id) as IssuedRequest;
      if (request.kind === 'pool' && request.inCall && (call <= MOST_CALLS || order <= this.slept))
        ready.push({ name: effectInTurn(call, request.name), step, request, order });
    }
    if (ready.length === 0) return null;
    ready.sort((a, b) => (a.name < b.name ? -1 : 1));
    const picked = strategy.early(ready, this);
    this.breadth += Math.log(ready.length + 1);
    // Where all choices are wanted, that nothing comes before the call is one of them.
    const none = effectInTurn(call, '');
    if (options.wantChoices) this.choices.push([none, ...ready.map(({ name }) => name)]);
    if (picked) this.model.take(picked.step);
    if (picked || options.wantChoices) this.took(picked?.name ?? none);
    return picked;
  }

  /** What is delivered in the same turn as an answer of a name server, before its ticks; null where nothing is. */
  sameTurn(): ReadyStep | null {
    const { strategy, options } = this;
    if (this.outcome || options.companions) return null;
    const ready = this.readied(this.model.sameTurn()).filter(({ request }) => isHere(request));
    // What was known is no choice.
    const owed = ready.find(({ request }) => isOwed(request)) ?? null;
    if (ready.length === 0 || (!owed && options.wantChoices)) return null;
    const picked = strategy.sameTurn?.(ready, this) ?? owed;
    if (!picked) return null;
    if (!owed) this.breadth += Math.log(ready.length + 1);
    this.model.takeInSameTurn(picked.step);
    this.took(picked.name);
    return picked;
  }

  private ask(ready: readonly ReadyStep[]): ReadyStep | Wait {
    const answer = this.strategy.choose(ready, this);
    if (!('stop' in answer)) return answer;
    this.strategy = this.fallback;
    const instead = this.fallback.choose(ready);
    this.stopped = { ...answer, step: this.steps.length, instead: instead.name };
    return instead;
  }

  /**
   * Where in virtual time (ms of the epoch) something lies that others did at a real moment, by a clock that lags
   * behind a little. The clock does not leap while others work, but it may have leapt just before or behind: then
   * nobody knows on which side it was.
   */
  virtualTime(real: number): { readonly time: number; readonly doubtful: boolean } {
    // Before the run, or set by somebody. The epoch is a whole ms: what was made just before it may lie behind it.
    if (real < this.epoch + 1 || real > realDate() + FILE_TIME_LAG) return { time: real, doubtful: false };
    let virtual = 0;
    let leap = 0;
    for (const move of this.moves) {
      if (move.real > real + FILE_TIME_LAG) break;
      if (move.real <= real) virtual = move.virtual;
      else leap = Math.max(leap, move.virtual - virtual);
    }
    return { time: this.epoch + virtual, doubtful: leap > FILE_TIME_LAG };
  }

  result(waits: readonly string[]): GateResult<T> {
    const late = this.late();
    return {
      ...(this.outcome as RunOutcome<T>),
      steps: this.steps,
      ...(this.options.wantChoices ? { choices: this.choices } : {}),
      breadth: this.breadth,
      paced: this.paced,
      stopped: this.stopped,
      requiredStallMs: Math.max(late[0]?.ms ?? 0, unitsOf(this.longestHold)),
      requiredPauseMs: this.model.longestPause(),
      late,
      clockMs: this.model.now,
      ungated: this.ungated,
      doubts: this.rules.doubts ? [...this.doubts] : [],
      waits,
      ...(this.afterwards ? { afterwards: this.afterwards } : {}),
      ...(this.later ? { later: this.later } : {}),
    };
  }

  private late(): Late[] {
    return this.model
      .lateness()
      .flatMap(({ id, ms }) => {
        const about = this.about.get(id);
        return about ? [{ ...about, ms }] : [];
      })
      .sort((a, b) => b.ms - a.ms)
      .slice(0, MOST_LATE);
  }

  /** What is pending, for people. */
  waits(): string[] {
    const all = [...this.entries.values()].map(({ request }) => request);
    return all
      .filter((request) => request.kind !== 'timer' || !request.upkeep)
      .map((request) => {
        const about = request.what ? ` ${request.what}` : '';
        return `${request.api}${about}${request.ref ? '' : ' (unref)'} of ${request.frame?.path ?? 'root'}`;
      });
  }
}

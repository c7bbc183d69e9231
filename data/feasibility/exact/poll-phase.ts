/** The poll phase: answers of the thread pool, sockets, messages (C8, C9, C10). */
import { type Arrival, isKnown, isPrompt, type Pending, type PendingArrival } from './arrivals.ts';
import type { CheckPhase } from './check-phase.ts';
import { NOTHING, type Source } from './clock-hypotheses.ts';
import type { LoopState, Phase } from './state.ts';
import type { Step } from './steps.ts';

type Shutdown = PendingArrival & { readonly how: Extract<Arrival, { by: 'shutdown' }> };

export class PollPhase {
  private readonly state: LoopState;
  private readonly check: CheckPhase;

  constructor(state: LoopState, check: CheckPhase) {
    this.state = state;
    this.check = check;
  }

  steps(steps: Step[]): void {
    const { pool, arrivals, rules } = this.state;
    if (!pool.isEmpty)
      pool.steps({
        effect: ({ id }) => steps.push({ kind: 'effect', id, pause: 0 }),
        answer: (request) => this.offer(steps, request),
        end: ({ id }) => steps.push({ kind: 'end', id, pause: 0 }),
      });
    const behind = rules.phases ? arrivals.list.filter((arrival) => this.isBehindAnother(arrival)) : [];
    // The two ways to tell which handle is older may contradict each other: then the kernel is right.
    const first = arrivals.list.find((arrival) => isPrompt(arrival.how) && !this.waits(arrival));
    const all = arrivals.list.every((arrival) => !isPrompt(arrival.how) || behind.includes(arrival));
    for (const arrival of arrivals.list)
      if (!behind.includes(arrival) || (all && arrival === first)) this.offer(steps, arrival);
  }

  /** It waits for that one, or one poll phase brings both, in the order in which their handles were made. */
  private isBehindAnother(arrival: PendingArrival): boolean {
    if (this.waits(arrival)) return true;
    if (isKnown(arrival)) return arrival !== this.state.arrivals.known;
    if (!isPrompt(arrival.how)) return false;
    const isNow = this.comesNow(arrival);
    return this.state.arrivals.list.some(
      (other) => isPrompt(other.how) && this.isOlder(other, arrival) && (!isNow || this.comesNow(other)),
    );
  }

  private waits({ behind }: PendingArrival): boolean {
    return behind >= 0 && this.state.arrivals.find(behind) !== undefined;
  }

  /** Where the handles do not tell, what one turn sent comes in the order in which the kernel told it. */
  private isOlder(one: PendingArrival, than: PendingArrival): boolean {
    const { amid, arrivals } = this.state;
    const isToldByHandles = one.how.by === than.how.by && !amid.has(one.made) && !amid.has(than.made);
    if (isToldByHandles && one.made !== than.made) return one.made < than.made;
    return one.turn === than.turn && arrivals.list.indexOf(one) < arrivals.list.indexOf(than);
  }

  /** The poll phase that is on brings it. */
  private comesNow({ seq }: PendingArrival): boolean {
    const { phase, hypotheses } = this.state;
    return phase === 'poll' && hypotheses.arriving(seq, 'message') !== null;
  }

  /** Effects alone: the kernel waits for no phase. */
  effects(): Step[] {
    const steps: Step[] = [];
    this.state.pool.steps({
      effect: ({ id }) => steps.push({ kind: 'effect', id, pause: 0 }),
      answer: () => {},
      end: () => {},
    });
    return steps;
  }

  /** What comes while the loop is over; null where it is not. */
  outside(): Step[] | null {
    if (!this.state.isOutside) return null;
    const awaited = this.state.arrivals.list.filter(({ how }) => how.by === 'engine');
    return awaited.map(({ id }) => ({ kind: 'deliver', id, pause: 0 }));
  }

  private offer(steps: Step[], request: Pending): void {
    const shift = this.arriving(request);
    const late = shift === null ? null : this.state.latenessUntil(request, shift);
    if (shift !== null && late !== null)
      steps.push({ kind: 'deliver', id: request.id, pause: Math.max(shift, late) });
  }

  /** By how much something has to move for this to be the next that arrives; null where it cannot. */
  private arriving(request: Pending): number | null {
    const { state } = this;
    const { phase, hypotheses, rules } = state;
    if (this.check.isPutOff(request)) return this.check.isOwed(request) ? 0 : this.check.beginning();
    if (this.isAtOnce(request)) return 0;
    if (this.isTwice(request) && state.immediates.size > 0) return null;
    if (phase !== 'poll')
      return state.isBehindCheck && state.isBarred ? null : state.passing(state.isBehindCheck);
    if (isShutdown(request) && rules.phases) return hypotheses.mayEnd(state.owedOfPolled) ? 0 : null;
    return (
      hypotheses.arriving(request.seq, sourceOf(request)) ?? (state.isBarred ? null : state.passing(true))
    );
  }

  /** No check phase has begun since it was asked for. */
  private isTwice(request: Pending): boolean {
    const { rules, checked } = this.state;
    return request.from === 'outside' && request.isTwice && rules.phases && checked <= request.turn;
  }

  /** It belongs to the event that began the present turn. */
  private isAtOnce(request: Pending): boolean {
    const { phase, rules, begun } = this.state;
    const atOnce = isShutdown(request) && request.how.atOnce === true;
    return atOnce && phase === 'poll' && rules.phases && request.seq > begun;
  }

  /** Delivers what {@link steps} offered, also what belongs to the check phase; `sameTurn`: see {@link CheckPhase.sameTurn}. */
  deliver(request: Pending, sameTurn = false): void {
    const { state, check } = this;
    const { hypotheses, lateness } = state;
    const { isOutside, owed } = state;
    const isInSameTurn = sameTurn || check.isOwed(request);
    state.remove(request);
    const source = sourceOf(request);
    const isPutOff = check.isPutOff(request);
    const isAhead =
      request.from === 'outside' && request.aheadOfPoll && state.phase !== 'poll' && state.rules.phases;
    if (isPutOff && !isInSameTurn) check.begin();
    else if (!isPutOff && !isOutside && !this.isAtOnce(request)) this.arrive(request, source, owed);
    const delivered = hypotheses.answer(request, state.longestSince(request));
    lateness.slept(delivered);
    state.over(request, delivered);
    state.begin(phaseBehind(isOutside, isPutOff, isAhead), delivered, request.since, request.lead);
    state.isOver = isOutside;
    state.headsCheck = isPutOff;
    if (source === 'pool') state.answerOfPool = request.seq;
    state.message = source === 'message' && request.from === 'outside' ? request : null;
  }

  /** The poll phase that is on brings it, or another one. `owed`: with itself, if that waits for it. */
  private arrive(request: Pending, source: Source, owed: number): void {
    const { state } = this;
    const { phase, hypotheses, rules } = state;
    if (phase !== 'poll' || !rules.phases) state.pass(state.isBehindCheck, source, NOTHING);
    else if (isShutdown(request)) hypotheses.polled(state.owedOfPolled);
    else hypotheses.arrive(request.seq, source, !state.isBarred, state.latestWaiting, state.seq + 1, owed);
  }
}

function isShutdown(request: Pending): request is Shutdown {
  return request.from === 'outside' && request.how.by === 'shutdown';
}

/** Where the loop is behind an answer: it begins anew behind what came outside of it. */
function phaseBehind(isOutside: boolean, isPutOff: boolean, isAhead: boolean): Phase {
  if (isOutside) return 'closing';
  if (isPutOff) return 'check';
  return isAhead ? 'timers' : 'poll';
}

function sourceOf(request: Pending): Source {
  if (request.from === 'pool') return 'pool';
  return request.how.by === 'message' || request.how.by === 'engine' ? 'message' : 'elsewhere';
}

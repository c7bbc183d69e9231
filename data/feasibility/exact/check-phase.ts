/** The check phase: what Node puts off to it, then immediates, as one batch (C9). */
import { isKnown, type Pending, type PendingArrival } from './arrivals.ts';
import { NOTHING } from './clock-hypotheses.ts';
import type { LoopState } from './state.ts';
import type { Step } from './steps.ts';

export class CheckPhase {
  private readonly state: LoopState;

  constructor(state: LoopState) {
    this.state = state;
  }

  /** What has to come next, because the phase has begun; null where it has not. */
  goesOn(): Step[] | null {
    const { immediates, rules, headsCheck } = this.state;
    const next = rules.phases ? immediates.next : undefined;
    if (next !== undefined) return [immediate(next, 0)];
    const { owed } = this;
    if (owed) return [deliver(owed.id)];
    const { first } = immediates;
    return headsCheck && first !== undefined ? [immediate(first, 0)] : null;
  }

  /**
   * What the phase that has begun has to bring before its immediates: what was known before it, and what its callbacks ask
   * and is known. The latter comes in the same turn. Here it has a turn of its own: that is the same where the present turn
   * had neither ticks nor microtasks that should have waited.
   */
  private get owed(): PendingArrival | undefined {
    const { arrivals, headsCheck, heads } = this.state;
    if (!headsCheck) return undefined;
    return arrivals.list.find((arrival) => {
      const known = this.isPutOff(arrival) && arrival.how.by === 'resolver' ? arrival.how.known : null;
      return known !== null && (known < 0 ? arrival.seq <= heads : known > heads);
    });
  }

  isOwed(request: Pending): boolean {
    return this.owed === request;
  }

  /** What else was put off comes in the same turn, before its ticks and microtasks, if it is owed, and else may. */
  sameTurn(): Step[] {
    const { arrivals, headsCheck } = this.state;
    if (!headsCheck) return [];
    const { owed } = this;
    if (owed) return [deliver(owed.id)];
    const heads = arrivals.list.filter((arrival) => this.isPutOff(arrival) && !isKnown(arrival));
    return heads.map(({ id }) => deliver(id));
  }

  steps(steps: Step[]): void {
    const { immediates, isHeaded } = this.state;
    const { first } = immediates;
    const pause = first === undefined || isHeaded || !this.comes ? null : this.checking();
    if (first !== undefined && pause !== null) steps.push(immediate(first, pause));
  }

  /** C16: the loop gets to another check phase, though its immediates may not keep it alive. */
  private get comes(): boolean {
    const { rules, isAlive, isBehindCheck, hypotheses } = this.state;
    return !rules.unref || isAlive || !isBehindCheck || hypotheses.timers.anyRef;
  }

  isPutOff(request: Pending): boolean {
    return request.from === 'outside' && request.how.by === 'resolver' && this.state.rules.phases;
  }

  /** By how much something has to move for what was put off to come now; null where it cannot. */
  beginning(): number | null {
    return this.checking();
  }

  /** By how much something has to move for a check phase to begin now; null where it cannot. */
  private checking(): number | null {
    const { state } = this;
    const isPassedBy = state.phase !== 'poll' && state.there !== NOTHING;
    if (isPassedBy || (state.isBehindCheck && state.isBarred)) return null;
    return state.passing(state.isBehindCheck);
  }

  begin(): void {
    const { state } = this;
    state.pass(state.isBehindCheck, 'elsewhere', state.owed);
    state.heads = state.seq;
  }

  run(id: number): void {
    const { state } = this;
    if (!state.immediates.isRunning) state.checked = state.seq;
    if (!state.immediates.isRunning && !state.headsCheck) this.begin();
    state.immediates.run(id);
    state.hypotheses.add(0, state.timeline.last, state.longestTurn);
    state.begin('check');
  }
}

const immediate = (id: number, pause: number): Step => ({ kind: 'immediate', id, pause });
const deliver = (id: number): Step => ({ kind: 'deliver', id, pause: 0 });

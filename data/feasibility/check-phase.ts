/** The check phase: what Node puts off to it, then immediates, as one batch (C9). */
import type { Arrival } from './arrivals.ts';
import type { Awaited } from './pool.ts';
import { NOTHING } from './readings.ts';
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
    const { first } = immediates;
    if (!headsCheck || first === undefined) return null;
    const { atOnce } = this;
    return [...(atOnce ? [deliver(atOnce.id)] : []), immediate(first, 0)];
  }

  /**
   * What was put off in the callback of the present turn comes behind that in the same turn. Here it has a turn of its own:
   * the first may, which is the same where the present turn had neither ticks nor microtasks that should have waited.
   */
  private get atOnce(): Arrival | undefined {
    const { arrivals, headsCheck, begun } = this.state;
    if (!headsCheck) return undefined;
    return arrivals.list.find((arrival) => this.isPutOff(arrival) && arrival.atOnce && arrival.made > begun);
  }

  isAtOnce(request: Awaited): boolean {
    return this.atOnce === request;
  }

  /** What else was put off may come in the same turn, before its ticks and microtasks. */
  beside(): Step[] {
    const { arrivals, headsCheck } = this.state;
    if (!headsCheck) return [];
    const heads = arrivals.list.filter((arrival) => this.isPutOff(arrival));
    return heads.map(({ id }) => deliver(id));
  }

  steps(steps: Step[]): void {
    const { first } = this.state.immediates;
    const pause = first === undefined ? null : this.checking();
    if (first !== undefined && pause !== null) steps.push(immediate(first, pause));
  }

  isPutOff(request: Awaited): boolean {
    return 'putOff' in request && request.putOff === true && this.state.rules.phases;
  }

  /** By how much something has to move for what was put off to come now; null where it cannot. */
  beginning(): number | null {
    return this.checking();
  }

  /** By how much something has to move for a check phase to begin now; null where it cannot. */
  private checking(): number | null {
    const { state } = this;
    const isPassedBy = state.phase !== 'poll' && state.prompt !== NOTHING;
    if (isPassedBy || (state.isBehindCheck && state.isBarred)) return null;
    return state.passing(state.isBehindCheck);
  }

  begin(): void {
    const { state } = this;
    state.pass(state.isBehindCheck, 'elsewhere', state.owed);
  }

  run(id: number): void {
    const { state } = this;
    if (!state.immediates.isRunning && !state.headsCheck) this.begin();
    state.immediates.run(id);
    state.readings.add(0, state.timeline.last, state.longestTurn);
    state.begin('check');
  }
}

const immediate = (id: number, pause: number): Step => ({ kind: 'immediate', id, pause });
const deliver = (id: number): Step => ({ kind: 'deliver', id, pause: 0 });

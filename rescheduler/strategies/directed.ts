/**
 * Forces a predicted order: the steps of the schedule in their order, then the order nearest to the
 * observed one. Steps that the schedule does not mention run only when the wanted one is not there yet.
 * `infeasible` and `diverged` are exact: the gate asks only when nothing is in flight, so a wanted step
 * that is missing then can never come before what must follow it. What may come from outside is waited for.
 * {@link EVERYTHING_ELSE} as a step lets all that the schedule does not mention come first, but for timers.
 */
import { betweenTurns, EVERYTHING_ELSE, isNoEffect, requestOf } from '../../data/schedule-step.ts';
import { type GateView, type ReadyStep, type Stop, type Strategy, WAIT, type Wait } from './strategy.ts';

export class DirectedStrategy implements Strategy {
  private readonly steps: readonly string[];
  private readonly rest: Strategy;
  private readonly remaining = new Map<string, number>();
  private at = 0;
  private stopped = false;

  constructor(steps: readonly string[], rest: Strategy) {
    this.steps = steps.filter((step) => !isNoEffect(step));
    this.rest = rest;
    for (const name of this.steps.map(betweenTurns))
      this.remaining.set(name, (this.remaining.get(name) ?? 0) + 1);
  }

  /** True once every step of the schedule was taken. */
  get complete(): boolean {
    return this.at >= this.steps.length;
  }

  choose(enabled: readonly ReadyStep[], view: GateView): ReadyStep | Stop | Wait {
    const wanted = this.steps[this.at];
    if (wanted === undefined || this.stopped) return this.rest.choose(enabled, view);
    if (wanted === EVERYTHING_ELSE) {
      const others = enabled.filter(({ name, step }) => !this.remaining.has(name) && step.kind !== 'timer');
      if (others.length > 0) return this.rest.choose(others, view);
      this.at += 1;
      return this.choose(enabled, view);
    }
    const hit = enabled.find((step) => step.name === wanted);
    if (hit) {
      this.took(wanted);
      return hit;
    }
    const free = enabled.filter((step) => !this.remaining.has(step.name));
    if (free.length > 0) return this.rest.choose(free, view);
    if (view.mayCome(wanted)) return WAIT;
    this.stopped = true;
    const issued = view.pendingNames().has(requestOf(wanted));
    return { stop: issued ? 'infeasible' : 'diverged', wanted, at: this.at };
  }

  early(effects: readonly ReadyStep[]): ReadyStep | null {
    const wanted = this.stopped ? undefined : this.steps[this.at];
    const hit = effects.find(({ name }) => name === wanted);
    if (hit) this.took(hit.name);
    return hit ?? null;
  }

  sameTurn(answers: readonly ReadyStep[]): ReadyStep | null {
    return this.early(answers);
  }

  private took(wanted: string): void {
    this.at += 1;
    const name = betweenTurns(wanted);
    const left = (this.remaining.get(name) as number) - 1;
    if (left === 0) this.remaining.delete(name);
    else this.remaining.set(name, left);
  }
}

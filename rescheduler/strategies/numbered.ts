/**
 * Takes the steps of another run of the same program, in which other parts of it are looked into, so that its tasks have other
 * names: a request is told by its place in the order in which requests are issued, which is the same as long as answers come
 * alike. Behind the last step everything goes as observed.
 */
import { requestOf } from '../../data/schedule-step.ts';
import { type GateView, type ReadyStep, type Stop, type Strategy, WAIT, type Wait } from './strategy.ts';

export class NumberedStrategy implements Strategy {
  private readonly steps: readonly string[];
  private readonly rest: Strategy;
  private at = 0;
  private stopped = false;

  constructor(steps: readonly string[], rest: Strategy) {
    this.steps = steps;
    this.rest = rest;
  }

  /** True once every step was taken. */
  get complete(): boolean {
    return this.at >= this.steps.length;
  }

  choose(enabled: readonly ReadyStep[], view: GateView): ReadyStep | Stop | Wait {
    const wanted = this.wanted();
    if (wanted === undefined) return this.rest.choose(enabled, view);
    const hit = this.early(enabled);
    if (hit) return hit;
    if (view.mayCome()) return WAIT;
    this.stopped = true;
    return { stop: 'diverged', wanted, at: this.at };
  }

  early(ready: readonly ReadyStep[]): ReadyStep | null {
    const wanted = this.wanted();
    const hit = ready.find(({ name, request }) => numberedStep(name, request.id) === wanted);
    if (hit) this.at += 1;
    return hit ?? null;
  }

  sameTurn(answers: readonly ReadyStep[]): ReadyStep | null {
    return this.early(answers);
  }

  private wanted(): string | undefined {
    return this.stopped ? undefined : this.steps[this.at];
  }
}

/** A step of the request that was issued as the `nth`, from 1. */
export const numberedStep = (step: string, nth: number): string =>
  step.slice(0, step.length - requestOf(step).length) + nth;

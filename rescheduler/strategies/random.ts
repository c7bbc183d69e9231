import { generator } from '../../data/generator.ts';
import type { GateView, ReadyStep, Strategy, Wait } from './strategy.ts';

/** How often a step is considered that presumes a pause of the CPU. */
const PAUSES = 0.15;

/** How often an effect comes before a synchronous call of the turn that is on. */
const EARLY = 0.3;

/** How often answers of name servers share a turn. */
const BESIDE = 0.5;

/** How often what may come from outside is waited for, and for how long, ms. */
const WAITS = 0.05;
const WAITING_MS = 5;

/**
 * By so many ms a run lets the host be late, in turn: where a time-out of a second may go off at any step it does in nearly every run,
 * and what fails without it is not come to.
 */
const LATENESS_MS: readonly number[] = [50, Number.POSITIVE_INFINITY, 250];

/** Uniform over the enabled steps; steps that presume a pause of the CPU take part only now and then. */
export class RandomStrategy implements Strategy {
  protected readonly next: () => number;
  private lateness: number;

  constructor(seed: number) {
    this.next = generator(seed);
    this.lateness = LATENESS_MS[seed % LATENESS_MS.length] ?? Number.POSITIVE_INFINITY;
  }

  choose(enabled: readonly ReadyStep[], view?: GateView): ReadyStep | Wait {
    if (view?.mayCome() && this.next() < WAITS) return { wait: WAITING_MS };
    if (enabled.length === 1) return enabled[0] as ReadyStep;
    let among = enabled;
    if (this.next() >= PAUSES) {
      const prompt = enabled.filter((ready) => ready.step.pause === 0);
      if (prompt.length > 0) among = prompt;
    }
    return this.inTime(among, view?.now ?? 0);
  }

  /** A timer goes off before what is there already only as long as the host may be late. */
  private inTime(among: readonly ReadyStep[], now: number): ReadyStep {
    const leap = ({ step }: ReadyStep): number => Math.max(0, (step.due ?? 0) - now);
    const soon = among.filter((ready) => leap(ready) <= this.lateness);
    const isHere = soon.some((ready) => leap(ready) === 0);
    const picked = this.pick(isHere ? soon : among);
    if (isHere) this.lateness -= leap(picked);
    return picked;
  }

  early(effects: readonly ReadyStep[]): ReadyStep | null {
    return this.next() < EARLY ? (effects[Math.floor(this.next() * effects.length)] as ReadyStep) : null;
  }

  sameTurn(answers: readonly ReadyStep[]): ReadyStep | null {
    return this.next() < BESIDE ? this.pick(answers) : null;
  }

  protected pick(among: readonly ReadyStep[]): ReadyStep {
    return among[Math.floor(this.next() * among.length)] as ReadyStep;
  }
}

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

/** Uniform over the enabled steps; steps that presume a pause of the CPU take part only now and then. */
export class RandomStrategy implements Strategy {
  protected readonly next: () => number;

  constructor(seed: number) {
    this.next = generator(seed);
  }

  choose(enabled: readonly ReadyStep[], view?: GateView): ReadyStep | Wait {
    if (view?.mayCome() && this.next() < WAITS) return { wait: WAITING_MS };
    if (enabled.length === 1) return enabled[0] as ReadyStep;
    let among = enabled;
    if (this.next() >= PAUSES) {
      const prompt = enabled.filter((ready) => ready.step.pause === 0);
      if (prompt.length > 0) among = prompt;
    }
    return this.pick(among);
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

import type { ReadyStep, Strategy } from './strategy.ts';

/** How often a step is considered that presumes a pause of the CPU. */
const PAUSES = 0.15;

/** Uniform over the enabled steps; steps that presume a pause of the CPU take part only now and then. */
export class RandomStrategy implements Strategy {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  choose(enabled: readonly ReadyStep[]): ReadyStep {
    if (enabled.length === 1) return enabled[0] as ReadyStep;
    let among = enabled;
    if (this.next() >= PAUSES) {
      const prompt = enabled.filter((ready) => ready.step.pause === 0);
      if (prompt.length > 0) among = prompt;
    }
    return among[Math.floor(this.next() * among.length)] as ReadyStep;
  }

  /** Mulberry32: a small generator whose sequences for neighbouring seeds are unrelated. */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
}

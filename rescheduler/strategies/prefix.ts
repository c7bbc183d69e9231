import { requestOf } from '../../data/schedule-step.ts';
import { type GateView, type ReadyStep, type Stop, type Strategy, WAIT, type Wait } from './strategy.ts';

/**
 * Takes exactly the named steps one after the other, then always the first enabled one by name: the fixed
 * order of choices that lets a depth-first enumeration find the next prefix from the run alone.
 */
export class PrefixStrategy implements Strategy {
  private readonly names: readonly string[];
  private at = 0;

  constructor(names: readonly string[]) {
    this.names = names;
  }

  early(effects: readonly ReadyStep[]): ReadyStep | null {
    const wanted = this.names[this.at];
    if (wanted === undefined) return null;
    this.at += 1;
    return effects.find(({ name }) => name === wanted) ?? null;
  }

  sameTurn(answers: readonly ReadyStep[]): ReadyStep | null {
    const found = answers.find(({ name }) => name === this.names[this.at]);
    if (found) this.at += 1;
    return found ?? null;
  }

  choose(enabled: readonly ReadyStep[], view: GateView): ReadyStep | Stop | Wait {
    const wanted = this.names[this.at];
    if (wanted === undefined) return enabled[0] as ReadyStep;
    const found = enabled.find((ready) => ready.name === wanted);
    if (!found && view.mayCome(wanted)) return WAIT;
    this.at += 1;
    if (found) return found;
    this.at = this.names.length;
    const issued = view.pendingNames().has(requestOf(wanted));
    return { stop: issued ? 'infeasible' : 'diverged', wanted };
  }
}

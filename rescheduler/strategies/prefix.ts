import { ObservedStrategy } from './observed.ts';
import type { GateView, ReadyStep, Stop, Strategy } from './strategy.ts';

/** Takes exactly the named steps one after the other, then goes on in the observed order. */
export class PrefixStrategy implements Strategy {
  private readonly names: readonly string[];
  private readonly rest = new ObservedStrategy();
  private at = 0;

  constructor(names: readonly string[]) {
    this.names = names;
  }

  choose(enabled: readonly ReadyStep[], view: GateView): ReadyStep | Stop {
    const wanted = this.names[this.at];
    if (wanted === undefined) return this.rest.choose(enabled, view);
    this.at += 1;
    const found = enabled.find((ready) => ready.name === wanted);
    if (found) return found;
    this.at = this.names.length;
    const issued = view.pendingNames().has(wanted.slice(2));
    return { stop: issued ? 'infeasible' : 'diverged', wanted };
  }
}

/**
 * Makes requests change places. Where none are named, what was asked for last comes first, as often as it can: one run turns round most
 * of what may. Where some are, of each two the one that naturally is answered first waits until the other one was, as
 * long as anything else can come; all else goes as observed.
 */
import type { Swap } from '../../data/prediction.ts';
import { deliveryOf } from '../../data/schedule-step.ts';
import { ObservedStrategy } from './observed.ts';
import { RandomStrategy } from './random.ts';
import type { GateView, ReadyStep, Wait } from './strategy.ts';

/** How often any step comes, so that no two runs are alike. */
const ANY = 0.1;

export class SwappingStrategy extends RandomStrategy {
  /** By the delivery that waits, those that it waits for. */
  private readonly waitsFor = new Map<string, Set<string>>();
  private readonly rest = new ObservedStrategy();

  /** `swaps`: of each the one that is to come first, and the one that naturally does. */
  constructor(swaps: readonly Swap[], seed: number) {
    super(seed);
    for (const [first, second] of swaps) {
      const known = this.waitsFor.get(deliveryOf(second)) ?? new Set();
      this.waitsFor.set(deliveryOf(second), known.add(deliveryOf(first)));
    }
  }

  override choose(enabled: readonly ReadyStep[], view?: GateView): ReadyStep | Wait {
    if (this.waitsFor.size === 0) return super.choose(enabled, view);
    const fewest = Math.min(...enabled.map((each) => this.unmet(each)));
    const chosen = this.rest.choose(enabled.filter((each) => this.unmet(each) === fewest));
    for (const others of this.waitsFor.values()) others.delete(chosen.name);
    return chosen;
  }

  protected override pick(among: readonly ReadyStep[]): ReadyStep {
    if (this.next() < ANY) return super.pick(among);
    return among.reduce((newest, each) => (each.order > newest.order ? each : newest));
  }

  private unmet({ name }: ReadyStep): number {
    return this.waitsFor.get(name)?.size ?? 0;
  }
}

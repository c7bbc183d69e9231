/**
 * A search of which it is known when it is over: nothing that was seen of a test depends on the order, so what is left is what nobody
 * sees, and that may notice that two steps have changed places. When each two that may have, the search has shown what it can.
 */
import type { Swap, Swaps } from '../../data/prediction.ts';
import { deliveryOf, placesOf } from '../../data/schedule-step.ts';

/** So many runs in a row in which no two change places for the first time end it as well: some never do. */
const STALE = 2;
/** So many are asked for at a time: each that waits keeps others from coming. */
const FEW = 48;
/** But for so few runs. */
const LEAST = 3;

export class Swapped {
  /** By the code of the two, those that have not changed places yet: the later one of the observed run first. */
  private readonly left: Map<string, readonly Swap[]>;
  private runs = 0;
  private stale = 0;

  /** `natural`: the steps of the observed run. What did not come in it has no place. */
  constructor(swaps: Swaps, natural: readonly string[]) {
    const at = placesOf(natural);
    const turned = ([a, b]: Swap): readonly Swap[] => {
      const [first, second] = [at.get(deliveryOf(a)), at.get(deliveryOf(b))];
      if (first === undefined || second === undefined) return [];
      return [first < second ? [b, a] : [a, b]];
    };
    this.left = new Map([...swaps].map(([told, each]) => [told, each.flatMap(turned)]));
    for (const [told, each] of this.left) if (each.length === 0) this.left.delete(told);
  }

  look(steps: readonly string[]): void {
    const at = placesOf(steps);
    const before = this.left.size;
    const came = ([a, b]: Swap): boolean => {
      const first = at.get(deliveryOf(a));
      return first !== undefined && first < (at.get(deliveryOf(b)) ?? Number.POSITIVE_INFINITY);
    };
    for (const [told, each] of this.left) if (each.some(came)) this.left.delete(told);
    this.runs += 1;
    this.stale = this.left.size < before ? 0 : this.stale + 1;
  }

  /** Those to ask for by name, one for each code, the later one of the observed run first; at first none: most come by themselves. */
  get wanted(): readonly Swap[] {
    return this.runs === 0 ? [] : [...this.left.values()].slice(0, FEW).map(([first]) => first!);
  }

  /** A search begins that chooses in another way. */
  begin(): void {
    this.stale = 0;
  }

  get isOver(): boolean {
    return this.runs >= LEAST && (this.left.size === 0 || this.stale >= STALE);
  }
}

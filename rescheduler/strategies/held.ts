/**
 * Keeps some steps from coming until others have come, or cannot come any more; all else goes as observed. Unlike a list of
 * steps it says something of a program that has been changed: what it does besides, and under which names, is its own.
 */
import { type HeldStep, isWithin, partsOf, type StepRef } from '../../data/held-step.ts';
import { requestOf } from '../../data/schedule-step.ts';
import type { GateView, ReadyStep, Stop, Strategy, Wait } from './strategy.ts';

export class HeldStrategy implements Strategy {
  private readonly open: Set<HeldStep>;
  private readonly rest: Strategy;
  private readonly refs: readonly StepRef[];
  /** By request: which of its kind it is, for each part of the program that is spoken of. */
  private readonly known = new Map<string, readonly string[]>();
  private readonly counts = new Map<string, number>();
  private readonly unmet: Set<HeldStep>;

  constructor(steps: readonly HeldStep[], rest: Strategy) {
    this.open = new Set(steps);
    this.unmet = new Set(steps);
    this.rest = rest;
    const refs = steps.flatMap(({ step, until }) => [step, until]);
    this.refs = [...new Map(refs.map((ref) => [kindOf(ref), ref])).values()];
  }

  /** The program has come to all that was to be late. */
  get complete(): boolean {
    return this.unmet.size === 0;
  }

  choose(enabled: readonly ReadyStep[], view: GateView): ReadyStep | Stop | Wait {
    for (const name of view.pendingNames()) if (!this.known.has(name)) this.learn(name);
    const free = enabled.filter((ready) => !this.isHeld(ready));
    // What they wait for cannot come before them.
    if (free.length === 0) this.open.clear();
    const chosen = this.rest.choose(free.length > 0 ? free : enabled, view);
    if ('name' in chosen) this.took(chosen);
    return chosen;
  }

  early(effects: readonly ReadyStep[], view: GateView): ReadyStep | null {
    const free = effects.filter((ready) => !this.isHeld(ready));
    const chosen = (free.length > 0 && this.rest.early?.(free, view)) || null;
    if (chosen) this.took(chosen);
    return chosen;
  }

  private learn(name: string): void {
    const { api, path } = partsOf(name);
    const own = this.refs.filter((ref) => ref.api === api && isWithin(path, ref.within)).map(kindOf);
    this.known.set(
      name,
      own.map((kind) => {
        const nth = this.counts.get(kind) ?? 0;
        this.counts.set(kind, nth + 1);
        return `${kind} ${nth}`;
      }),
    );
  }

  private is({ name }: ReadyStep, ref: StepRef): boolean {
    const isIt = this.known.get(requestOf(name))?.includes(`${kindOf(ref)} ${ref.nth}`) === true;
    return isIt && (name.startsWith(ref.op) || (ref.op === 'E:' && /^\d/.test(name)));
  }

  private isHeld(ready: ReadyStep): boolean {
    let isHeld = false;
    for (const held of this.unmet) if (this.is(ready, held.step)) this.unmet.delete(held);
    for (const held of this.open) isHeld ||= this.is(ready, held.step);
    return isHeld;
  }

  private took(ready: ReadyStep): void {
    for (const held of this.open) if (this.is(ready, held.until)) this.open.delete(held);
  }
}

const kindOf = ({ api, within }: StepRef): string => `${within}|${api}`;

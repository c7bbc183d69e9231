/** C12: while work is alive that the gate does not control, or where nobody may leap, virtual time keeps behind real time. */
import type { Liveness } from './liveness.ts';
import { native } from './native.ts';
import type { GatedRun } from './run.ts';

export class Pace {
  private readonly liveness: Liveness;
  /** Real time at which the virtual clock last moved. */
  private moved = 0;

  constructor(liveness: Liveness) {
    this.liveness = liveness;
  }

  clockMoved(): void {
    this.moved = native.now();
  }

  /** By how much real time is ahead of the run's clock where something keeps that back, ms. */
  behind({ model, rules }: GatedRun<unknown>): number {
    const isKeptBack = rules.leaps && model.horizon < Number.POSITIVE_INFINITY;
    return isKeptBack ? native.now() - this.moved : 0;
  }

  /** There is un-gated work now. */
  get isAlive(): boolean {
    return this.liveness.alive() !== null;
  }

  /** Tells the model of the run about un-gated work; true while there is some, or where time passes as it does outside. */
  look(run: GatedRun<unknown>): boolean {
    const { model } = run;
    const alive = this.liveness.alive(run.options.companions?.alone?.brings);
    model.keptAlive = run.options.keptAlive === true || this.liveness.keepsAlive();
    model.horizon = Number.POSITIVE_INFINITY;
    const { realPace = false } = run.options.limits;
    if (!alive && !realPace) return false;
    for (const [kind, n] of alive ?? []) {
      if (!this.liveness.isHeld(kind)) run.ungated[kind] = Math.max(run.ungated[kind] ?? 0, n);
      if (this.liveness.isDoubtful(kind)) run.doubt(kind);
    }
    if (run.rules.leaps) model.horizon = run.now + (native.now() - this.moved);
    return true;
  }
}

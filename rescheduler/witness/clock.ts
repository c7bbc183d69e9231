/** The clock of a plan: real time less by how much the run is behind. */
import { native } from '../gate/native.ts';

export class PlanClock {
  private behind = Number.NEGATIVE_INFINITY;

  /** Something of the plan happens now that was planned for `at`: a run that is behind stays behind. */
  met(at: number): void {
    this.behind = Math.max(this.behind, native.now() - at);
  }

  /** ms until the planned time; not above 0 when it has come. */
  until(at: number): number {
    return at + this.behind - native.now();
  }
}

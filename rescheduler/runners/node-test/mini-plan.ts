/** `t.plan` and `t.assert` of one test in a warm worker: how many assertions and subtests were promised, and came. */
import assert from 'node:assert';
import type { Any, TestFunction } from './arguments.ts';
import { beforeTheLook } from './counting.ts';

export class MiniPlan {
  private promised: number | null = null;
  private came = 0;
  private isOver = false;
  /** The functions of `node:assert`, counted. */
  readonly assert: Record<string, TestFunction> = {};

  constructor() {
    for (const [name, fn] of Object.entries(assert) as [string, TestFunction][]) {
      this.assert[name] = (...args: Any[]) => {
        this.counted();
        return fn(...args);
      };
    }
  }

  plan(count: number): void {
    if (this.promised !== null) throw new Error('cannot set plan more than once');
    this.promised = count;
    this.came = 0;
  }

  /** An assertion or a subtest. */
  counted(): void {
    if (!this.isOver) this.came += 1;
  }

  /** What it has left behind does not count. */
  readonly bodyIsOver = (): void =>
    void beforeTheLook(() => {
      this.isOver = true;
    });

  /** The body is over. Throws where it kept less or more than it promised. */
  check(): void {
    if (this.promised !== null && this.promised !== this.came)
      throw new Error(`plan expected ${this.promised} assertions but received ${this.came}`);
  }
}

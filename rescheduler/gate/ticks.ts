/** Whether a turn had ticks or microtasks: what comes behind them is not what comes before them. */
import { createHook } from 'node:async_hooks';

export class Ticks {
  /** Somebody asks for the present turn: nothing is watched else, since hooks slow promises down. */
  asked = false;
  private ran = false;
  private readonly hook = createHook({
    before: () => {
      this.ran = true;
    },
  });

  /** The callback has returned. */
  begin(): void {
    this.ran = false;
    if (this.asked) this.hook.enable();
  }

  /** The turn is over; true where somebody asked, and there were any. */
  end(): boolean {
    const { asked } = this;
    this.asked = false;
    if (asked) this.hook.disable();
    return asked && this.ran;
  }
}

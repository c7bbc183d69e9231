/** When the gate looks again: in the next turn of the real loop, or after some real time. */
import { native } from './native.ts';

export class Waking {
  private readonly wake: () => void;
  private hopping = false;
  private timer: NodeJS.Timeout | null = null;

  /** `wake` runs in a macrotask of its own. Call the methods natively, outside of the run. */
  constructor(wake: () => void) {
    this.wake = wake;
  }

  /** In the next turn of the real loop, once however often it is asked for. */
  soon(): void {
    if (this.hopping) return;
    this.hopping = true;
    native.setImmediate(() => {
      this.hopping = false;
      this.wake();
    });
  }

  /** After `ms` of real time at the latest; keeps the process alive until then. */
  within(ms: number): void {
    this.never();
    this.timer = native.setTimeout(
      () => {
        // From here on nobody is waited for: whoever looks now may have to wait anew.
        this.timer = null;
        this.wake();
      },
      Math.max(1, Math.ceil(ms)),
    );
  }

  /** Takes {@link within} back. */
  never(): void {
    if (this.timer) native.clearTimeout(this.timer);
    this.timer = null;
  }

  get waiting(): boolean {
    return this.timer !== null;
  }
}

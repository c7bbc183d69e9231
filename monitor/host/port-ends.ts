/** The order in which the two ends of channels close. */

/**
 * A port that is closed tells the other end when its own closing phase has come, not when it is closed: the other end
 * learns it in a poll phase behind that.
 */
export class PortEnds {
  private closing = 0;
  private readonly closed: (() => void)[] = [];
  private readonly behind: (() => void)[] = [];
  private readonly soon: (fn: () => void) => void;

  /** `soon` calls when the present turn is over, before another one. */
  constructor(soon: (fn: () => void) => void) {
    this.soon = soon;
  }

  /**
   * This end was closed, which `come` holds. What closes in one phase does so last first: that is how it comes here, and
   * it is held in the order in which it was closed.
   */
  near(tell: () => void, come: (told: () => void) => void): void {
    this.closing += 1;
    const told = (): void => {
      this.closing -= 1;
      try {
        tell();
      } finally {
        if (this.closing === 0) for (const learn of this.behind.splice(0)) this.soon(learn);
      }
    };
    if (this.closed.push(() => come(told)) > 1) return;
    this.soon(() => {
      for (const hold of this.closed.splice(0).reverse()) hold();
    });
  }

  /** The other end was: `learn` when that has been told. */
  far(learn: () => void): void {
    if (this.closing > 0) this.behind.push(learn);
    else learn();
  }
}

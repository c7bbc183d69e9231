/**
 * Looking at the clock takes time: what is measured takes longer than nothing, as natively, and a loop that waits for a
 * time ends. By looks and not by real time, so that it is the same in every run.
 */
const LOOKS_PER_MS = 1000;

export class Looks {
  private count = 0;

  /** One more look; true where a millisecond is over with it. */
  look(): boolean {
    this.count = (this.count + 1) % LOOKS_PER_MS;
    return this.count === 0;
  }

  /** What looks have taken since the last such millisecond, ms. */
  get ms(): number {
    return this.count / LOOKS_PER_MS;
  }
}

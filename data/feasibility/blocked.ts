/** Time that passes within turns because the program waits there: for a synchronous child, in a loop, in `Atomics.wait`. */
export class Blocked {
  /** The moment behind each wait, and how long all have been until then, ms. */
  private readonly waits: { readonly moment: number; readonly total: number }[] = [];

  add(moment: number, ms: number): void {
    this.waits.push({ moment, total: this.total + ms });
  }

  /** How long the waits behind this moment were, ms: whatever was due then has to come so much later. */
  since(moment: number): number {
    return this.total - (this.waits.findLast((wait) => wait.moment <= moment)?.total ?? 0);
  }

  private get total(): number {
    return this.waits.at(-1)?.total ?? 0;
  }
}

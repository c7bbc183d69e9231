/**
 * Which children had no other one beside them. libuv looks at signals last: the pipes of a child that has ended are read before
 * its end is told, unless another one has ended, too. It is then asked of all which have ended, and some pipes not yet.
 */
export class LoneChildren {
  private readonly alive = new Set<object>();
  private readonly together = new WeakSet<object>();

  begins(child: object): void {
    this.alive.add(child);
    if (this.alive.size > 1) this.others();
  }

  /** Whether it was alone. */
  ends(child: object): boolean {
    this.alive.delete(child);
    return !this.together.has(child);
  }

  /** There is a process besides those that are alive. */
  others(): void {
    for (const child of this.alive) this.together.add(child);
  }

  /** The run is over. */
  drop(): void {
    this.alive.clear();
  }
}

/** Ports that the kernel chose differ from run to run: they are named by their ordinals. */
export class ChosenPorts {
  private readonly ordinals = new Map<number, number>();

  add(port: number): void {
    if (!this.has(port)) this.ordinals.set(port, this.ordinals.size + 1);
  }

  has(port: number | string): boolean {
    return typeof port === 'number' && this.ordinals.has(port);
  }

  /** What a port is called, chosen or not. */
  nameOf(port: number): string {
    const ordinal = this.ordinals.get(port);
    return ordinal === undefined ? `port ${port}` : `port #${ordinal}`;
  }

  /** The run is over. */
  clear(): void {
    this.ordinals.clear();
  }
}

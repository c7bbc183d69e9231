/** Callbacks that one phase runs back to back (C9): all that wait when it begins. What they add waits for another round. */
export class Batch {
  /** In the order in which they were added. */
  private readonly waiting: number[] = [];
  private running: Set<number> | null = null;
  /** Those among them that do not keep the process alive. */
  private readonly unrefs = new Set<number>();
  private readonly lastFirst: boolean;

  constructor(lastFirst: boolean) {
    this.lastFirst = lastFirst;
  }

  get size(): number {
    return this.waiting.length;
  }

  get all(): readonly number[] {
    return this.waiting;
  }

  get isRunning(): boolean {
    return this.running !== null;
  }

  add(id: number): void {
    this.waiting.push(id);
  }

  setRef(id: number, ref: boolean): void {
    if (ref) this.unrefs.delete(id);
    else if (this.waiting.includes(id)) this.unrefs.add(id);
  }

  /** One that keeps the process alive is waiting. */
  get anyRef(): boolean {
    return this.waiting.length > this.unrefs.size;
  }

  cancel(id: number): void {
    const at = this.waiting.indexOf(id);
    if (at >= 0) this.waiting.splice(at, 1);
    this.unrefs.delete(id);
    this.running?.delete(id);
  }

  /** The one that would begin a batch. */
  get first(): number | undefined {
    return this.waiting.at(this.lastFirst ? -1 : 0);
  }

  /** The next of the batch that runs, if one does. */
  get next(): number | undefined {
    const { running, waiting } = this;
    if (!running) return undefined;
    const isOfIt = (id: number): boolean => running.has(id);
    const id = this.lastFirst ? waiting.findLast(isOfIt) : waiting.find(isOfIt);
    if (id === undefined) this.end();
    return id;
  }

  /** Runs one, of the batch that runs or of one that begins. Throws where it does not wait. */
  run(id: number): void {
    if (!this.waiting.includes(id)) throw new Error(`callback ${id} is not pending`);
    this.running ??= new Set(this.waiting);
    this.cancel(id);
    if (this.running.size === 0) this.end();
  }

  end(): void {
    this.running = null;
  }
}

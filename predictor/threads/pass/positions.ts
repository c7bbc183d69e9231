/** A position of a thread as one number: what it holds and its epoch, which say together whom it can meet. */
import { Epochs } from './epochs.ts';
import { LockClasses } from './lock-classes.ts';

export class Positions {
  readonly locks = new LockClasses();
  readonly epochs: Epochs;
  private readonly lockClass: number[] = [];
  private readonly epoch: number[] = [];
  private readonly ids = new Map<number, number>();

  constructor(threads: number) {
    this.epochs = new Epochs(threads);
  }

  /** The position of a thread in its current epoch, with these locks (a state of {@link LockClasses}). */
  of(thread: number, lockState: number): number {
    const lockClass = this.locks.classOfState[lockState]!;
    const epoch = this.epochs.current[thread]!;
    const key = epoch * 0x2000000 + lockClass;
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.lockClass.push(lockClass) - 1;
      this.epoch.push(epoch);
      this.ids.set(key, id);
    }
    return id;
  }

  /** Whether nothing is held there. */
  isFree(position: number): boolean {
    return this.lockClass[position] === 0;
  }

  /** Whether two threads can be at these positions at once, as far as locks and must-order say. */
  canMeet(a: number, b: number): boolean {
    return (
      this.locks.areCompatible(this.lockClass[a]!, this.lockClass[b]!) &&
      this.epochs.areConsistent(this.epoch[a]!, this.epoch[b]!)
    );
  }
}

/**
 * What one thread has acquired and released, so that its locks at any *mark* of its current transaction can be
 * worked out when they are wanted. They seldom are: most accesses are covered by earlier ones (coverage.ts).
 */
import type { LockHold } from '../lock-states.ts';
import type { LockClasses } from './lock-classes.ts';
import { doubled } from './pair-index.ts';

/** A log that is not needed is shortened when it is longer than this. */
const LONG = 256;
const UNKNOWN = -1;

/** A lock and how it is taken as one number. */
export const useOf = (lock: number, shared: boolean): number => 2 * lock + (shared ? 1 : 0);

export class LockLog {
  private readonly classes: LockClasses;
  /** Outermost holds, and how often each is held, in the order in which they began. */
  private readonly open: number[] = [];
  private readonly depths: number[] = [];
  /** Outermost acquires (twice the use, plus 1) and releases (twice the use). */
  private steps: Int32Array = new Int32Array(64);
  private length = 0;
  /** Locks were released in reverse order so far. */
  isNested = true;
  /** Of each mark: the class there, where it is known. The mark k is behind the first k steps. */
  private classAt: Int32Array = new Int32Array(64);

  constructor(classes: LockClasses) {
    this.classes = classes;
  }

  /** How many locks are held now. */
  get held(): number {
    return this.open.length;
  }

  /** Where the thread is now. */
  get mark(): number {
    return this.length;
  }

  /** True if the thread did not hold the lock in this mode before. */
  acquire(use: number): boolean {
    const at = this.open.lastIndexOf(use);
    if (at >= 0) {
      this.depths[at]!++;
      return false;
    }
    this.open.push(use);
    this.depths.push(1);
    this.push(2 * use + 1);
    return true;
  }

  /** True if the thread does not hold the lock in this mode any more. */
  release(use: number): boolean {
    const at = this.open.lastIndexOf(use);
    if (--this.depths[at]! > 0) return false;
    if (at === this.open.length - 1) {
      this.open.pop();
      this.depths.pop();
    } else {
      this.isNested = false;
      this.open.splice(at, 1);
      this.depths.splice(at, 1);
    }
    this.push(2 * use);
    return true;
  }

  /** Whether nothing is held at a mark. */
  isFree(mark: number): boolean {
    return this.classAt[mark] === 0;
  }

  /** The class of what is held at a mark. */
  class(mark: number): number {
    let known = mark;
    while (this.classAt[known] === UNKNOWN) known--;
    if (known === mark) return this.classAt[mark]!;
    let state = this.classes.state(this.classAt[known]!);
    for (let at = known; at < mark; at++) state = after(state, this.steps[at]!);
    return (this.classAt[mark] = this.classes.of(state));
  }

  /** Marks so far will not be asked about any more. */
  forget(): void {
    if (this.open.length > 0 && this.length < LONG) return;
    this.classAt[0] = this.class(this.length);
    this.length = 0;
  }

  private push(step: number): void {
    if (this.length + 1 >= this.steps.length) {
      this.steps = doubled(this.steps);
      this.classAt = doubled(this.classAt);
    }
    this.steps[this.length++] = step;
    this.classAt[this.length] = this.open.length === 0 ? 0 : UNKNOWN;
  }
}

function after(state: readonly LockHold[], step: number): readonly LockHold[] {
  const lock = step >> 2;
  const shared = (step & 2) !== 0;
  if ((step & 1) === 0) return state.filter((held) => held.lock !== lock || held.shared !== shared);
  const use = { lock, shared };
  const isKnown = (held: LockHold): boolean =>
    held.history.some((h) => h.lock === lock && h.shared === shared);
  return [
    ...state.map((held) => (isKnown(held) ? held : { ...held, history: [...held.history, use] })),
    { ...use, history: [] },
  ];
}

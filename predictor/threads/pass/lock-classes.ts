/**
 * Locksets with acquisition histories as small numbers, so that points are compared by one look-up. Class 0:
 * nothing is held. Each relation is remembered per pair of classes.
 */
import { classOf, conflictOf, type LocksHeld, type LockUse } from '../lock-states.ts';

export class LockClasses {
  private readonly states: LocksHeld[] = [];
  private readonly ids = new Map<string, number>();
  private readonly compatible = new Relation((a, b) => conflictOf(this.states[a]!, this.states[b]!) === null);
  private readonly weaker = new Relation((a, b) => isWeaker(this.states[a]!, this.states[b]!));

  constructor() {
    this.of([]);
  }

  /** The class of a state of locks. */
  of(state: LocksHeld): number {
    const name = classOf(state);
    let id = this.ids.get(name);
    if (id === undefined) {
      id = this.states.push(state) - 1;
      this.ids.set(name, id);
    }
    return id;
  }

  /** A state of this class. */
  state(id: number): LocksHeld {
    return this.states[id]!;
  }

  /** Whether two classes are compatible (lock-states.ts). */
  areCompatible(a: number, b: number): boolean {
    return a === 0 || b === 0 || this.compatible.holds(a, b);
  }

  /** Whether `a` is compatible with all that `b` is compatible with, because it holds and has acquired no more. */
  isWeaker(a: number, b: number): boolean {
    return a === 0 || a === b || this.weaker.holds(a, b);
  }
}

/** Whether what excludes `y` excludes `x`, too. */
const isPartOf = (y: LockUse, x: LockUse): boolean => x.lock === y.lock && (y.shared || !x.shared);

function isWeaker(a: LocksHeld, b: LocksHeld): boolean {
  return a.every((held) =>
    b.some(
      (other) =>
        isPartOf(held, other) && held.history.every((h) => other.history.some((o) => isPartOf(h, o))),
    ),
  );
}

/** Answers are remembered for so many classes: at first, and at most. */
const WIDTH = 64;
const MOST = 4096;
const NO = 1;
const YES = 2;

/** A relation between numbers, each answer worked out once while the numbers are small. */
class Relation {
  private readonly ask: (a: number, b: number) => boolean;
  /** A square of this width. 0: not asked yet. */
  private answers = new Uint8Array(WIDTH * WIDTH);
  private width = WIDTH;

  constructor(ask: (a: number, b: number) => boolean) {
    this.ask = ask;
  }

  holds(a: number, b: number): boolean {
    if (a >= MOST || b >= MOST) return this.ask(a, b);
    while (a >= this.width || b >= this.width) this.widen();
    const at = a * this.width + b;
    if (this.answers[at] === 0) this.answers[at] = this.ask(a, b) ? YES : NO;
    return this.answers[at] === YES;
  }

  private widen(): void {
    const { answers, width } = this;
    this.width = 2 * width;
    this.answers = new Uint8Array(this.width * this.width);
    for (let a = 0; a < width; a++)
      this.answers.set(answers.subarray(a * width, (a + 1) * width), a * this.width);
  }
}

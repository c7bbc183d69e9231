/**
 * Locksets with acquisition histories as small numbers: each state of a thread's locks is interned once, each
 * step from one to the next is remembered, and so is the answer for each pair of classes. What a thread holds
 * is then one number, and two points are compared by one look-up.
 *
 * A *state* knows the depth of re-entrant holds; its *class* does not. Class 0: nothing is held.
 */
import { Op } from '../../../data/threads/trace.ts';
import { classOf, conflictOf, type HeldLock, type LockState } from '../lock-states.ts';

/** Answers are remembered for so many classes: at first, and at most. */
const WIDTH = 64;
const MOST = 4096;
const NO = 1;
const YES = 2;

interface Hold extends HeldLock {
  readonly depth: number;
}

export class LockClasses {
  /** Of each state: its class. */
  readonly classOfState: number[] = [];
  private readonly states: (readonly Hold[])[] = [];
  private readonly stateIds = new Map<string, number>();
  private readonly classes: LockState[] = [];
  private readonly classIds = new Map<string, number>();
  /** By state: the next state by operation and lock. */
  private readonly steps: Map<number, number>[] = [];
  /** By pair of classes, as a square of this width. 0: not asked yet. */
  private answers: Uint8Array = new Uint8Array(WIDTH * WIDTH);
  private width = WIDTH;

  constructor() {
    this.intern([]);
  }

  /** How many locks a state holds. */
  held(state: number): number {
    return this.states[state]!.length;
  }

  /** The lock that a state took last; -1 if it holds none. */
  top(state: number): number {
    return this.states[state]!.at(-1)?.lock ?? -1;
  }

  /** The state after an acquire or release (one of {@link Op}). */
  step(state: number, op: number, lock: number): number {
    const key = lock * 4 + (op - Op.Acquire);
    const known = this.steps[state]!.get(key);
    if (known !== undefined) return known;
    const next = this.intern(after(this.states[state]!, op, lock));
    this.steps[state]!.set(key, next);
    return next;
  }

  /** Whether two classes are compatible (lock-states.ts). */
  areCompatible(a: number, b: number): boolean {
    if (a === 0 || b === 0) return true;
    const { width } = this;
    if (a >= width || b >= width) {
      if (Math.max(a, b) >= MOST) return this.compare(a, b);
      this.widen();
      return this.areCompatible(a, b);
    }
    const answer = this.answers[a * width + b]!;
    if (answer !== 0) return answer === YES;
    const isCompatible = this.compare(a, b);
    this.answers[a * width + b] = isCompatible ? YES : NO;
    return isCompatible;
  }

  private compare(a: number, b: number): boolean {
    return conflictOf(this.classes[a]!, this.classes[b]!) === null;
  }

  private widen(): void {
    const { answers, width } = this;
    this.width = 2 * width;
    this.answers = new Uint8Array(this.width * this.width);
    for (let a = 0; a < width; a++)
      this.answers.set(answers.subarray(a * width, (a + 1) * width), a * this.width);
  }

  private intern(holds: readonly Hold[]): number {
    const name = holds
      .map(
        (h) =>
          `${h.lock}${h.shared ? '~' : ''}*${h.depth}:${h.history.map((x) => `${x.lock}${x.shared ? '~' : ''}`)}`,
      )
      .join(';');
    let id = this.stateIds.get(name);
    if (id !== undefined) return id;
    id = this.states.push(holds) - 1;
    this.stateIds.set(name, id);
    this.steps.push(new Map());
    const className = classOf(holds);
    let classId = this.classIds.get(className);
    if (classId === undefined) {
      classId = this.classes.push(holds) - 1;
      this.classIds.set(className, classId);
    }
    this.classOfState.push(classId);
    return id;
  }
}

function after(holds: readonly Hold[], op: number, lock: number): readonly Hold[] {
  const shared = op >= Op.AcquireShared;
  const at = holds.findIndex((hold) => hold.lock === lock && hold.shared === shared);
  const isAcquire = op === Op.Acquire || op === Op.AcquireShared;
  if (at >= 0) {
    const depth = holds[at]!.depth + (isAcquire ? 1 : -1);
    return depth === 0 ? holds.toSpliced(at, 1) : holds.with(at, { ...holds[at]!, depth });
  }
  const isKnown = (hold: Hold): boolean => hold.history.some((h) => h.lock === lock && h.shared === shared);
  // Histories are sets in a fixed order: states that differ in nothing else are one.
  const added = (hold: Hold): Hold => ({
    ...hold,
    history: [...hold.history, { lock, shared }].sort(
      (a, b) => a.lock - b.lock || Number(a.shared) - Number(b.shared),
    ),
  });
  return [
    ...holds.map((hold) => (isKnown(hold) ? hold : added(hold))),
    { lock, shared, depth: 1, history: [] },
  ];
}

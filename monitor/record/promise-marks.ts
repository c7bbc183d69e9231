/**
 * What is known of a promise, in private fields of the promise itself. A table on the side would do the same
 * at ten times the cost: every promise of the program passes here, and weak tables are slow to collect.
 */

/** Promise.all and its kin. */
export interface Members {
  readonly kind: 'all' | 'any';
  readonly promises: readonly Promise<unknown>[];
}

/** Returns the object it is given, so that a subclass puts its private fields on that object. */
function returned(o: object): object {
  return o;
}
const Base = returned as unknown as new (o: object) => object;

let lastEpoch = 0;

/** Begins a recording: what earlier ones knew is forgotten. */
export function newEpoch(): number {
  return ++lastEpoch;
}

class PromiseMark extends Base {
  #epoch = 0;
  #parent: Promise<unknown> | null = null;
  #registeredBy = -1;
  #settledBy = -1;
  #members: Members | null = null;

  /** The mark of this recording on `promise`, made where it is missing. */
  static on(promise: object, epoch: number): PromiseMark {
    const mark = #epoch in promise ? promise : stamped(promise);
    if (mark.#epoch !== epoch) {
      mark.#epoch = epoch;
      mark.#parent = null;
      mark.#registeredBy = -1;
      mark.#settledBy = -1;
      mark.#members = null;
    }
    return mark;
  }

  static derive(promise: object, parent: Promise<unknown>, job: number, epoch: number): void {
    const mark = PromiseMark.on(promise, epoch);
    mark.#parent = parent;
    mark.#registeredBy = job;
  }

  static takeParent(promise: object, epoch: number): Promise<unknown> | null {
    if (!(#epoch in promise) || promise.#epoch !== epoch) return null;
    const parent = promise.#parent;
    promise.#parent = null;
    return parent;
  }

  static registeredBy(promise: object, epoch: number): number {
    return #epoch in promise && promise.#epoch === epoch ? promise.#registeredBy : -1;
  }

  static settledBy(promise: object, epoch: number): number {
    return #epoch in promise && promise.#epoch === epoch ? promise.#settledBy : -1;
  }

  static settle(promise: object, condition: number, epoch: number): void {
    PromiseMark.on(promise, epoch).#settledBy = condition;
  }

  static members(promise: object, epoch: number): Members | null {
    return #epoch in promise && promise.#epoch === epoch ? promise.#members : null;
  }

  static combine(promise: object, members: Members, epoch: number): void {
    PromiseMark.on(promise, epoch).#members = members;
  }
}

/** Engines may refuse private fields on frozen objects: then a mark that nobody finds again. */
function stamped(promise: object): PromiseMark {
  try {
    return new PromiseMark(promise);
  } catch {
    return new PromiseMark({});
  }
}

/** `promise` was derived from `parent` by `then` or `await`, in a job; -1 where none ran. */
export const derive = PromiseMark.derive;
/** The job in which a promise was derived. */
export const registeredBy = PromiseMark.registeredBy;
/** What a promise was derived from; told once, so that a long chain does not keep all its promises alive. */
export const takeParent = PromiseMark.takeParent;
/** The condition that settled a promise; -1 while pending. */
export const settledBy = PromiseMark.settledBy;
export const settle = PromiseMark.settle;
export const membersOf = PromiseMark.members;
export const combine = PromiseMark.combine;

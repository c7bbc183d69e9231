/** Functions that stand in the place of others, whose text is told for theirs. */
const standIns = new WeakMap<object, Function>();

export function standsIn(fn: Function, native: unknown): void {
  if (typeof native === 'function') standIns.set(fn, originalOf(native) as Function);
}

/** What a function stands for; anything else is itself. */
export const originalOf = (fn: unknown): unknown => standIns.get(fn as object) ?? fn;

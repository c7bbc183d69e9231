/**
 * The lock word under all locks here: 0 free, 1 held, 2 held and somebody may wait (Drepper, "Futexes are
 * tricky", mutex 3). It is the first element of the array given.
 */
const FREE = 0;
const HELD = 1;
const AWAITED = 2;

export function futexTryLock(words: Int32Array): boolean {
  return Atomics.compareExchange(words, 0, FREE, HELD) === FREE;
}

export function futexLock(words: Int32Array): void {
  if (futexTryLock(words)) return;
  while (Atomics.exchange(words, 0, AWAITED) !== FREE) Atomics.wait(words, 0, AWAITED);
}

export function futexUnlock(words: Int32Array): void {
  if (Atomics.exchange(words, 0, FREE) === AWAITED) Atomics.notify(words, 0, 1);
}

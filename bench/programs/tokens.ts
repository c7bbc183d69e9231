/** Threads that count in shared memory: as many steps as the memory says, one switch or many. */
import { threadHarness } from '../../harnesses/api.ts';

const count = (own: number) => (words: Int32Array) => {
  const steps = words[0]!;
  for (let i = 0; i < steps; i++) Atomics.add(words, 8 + 8 * own, 1);
};

for (const threads of [2, 4, 8])
  threadHarness({
    name: String(threads),
    // The number of steps is the test's: it sets the first word.
    memory: () => new Int32Array(new SharedArrayBuffer(4 * 8 * 10)),
    attach: (words) => words,
    threads: Object.fromEntries(Array.from({ length: threads }, (_, own) => [`t${own}`, count(own)])),
    check: () => {},
  });

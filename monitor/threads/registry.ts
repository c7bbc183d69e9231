/**
 * Numbers that all threads of a pool agree upon, in shared memory: where a shared buffer begins in one address space,
 * and the first number of a file's program points. Whoever comes first decides.
 */

import { MOST_BYTES } from './cells.ts';

/** Words: lock, next address, next point, files, then hash, length and first number of each file. */
const LOCK = 0;
const NEXT_ADDRESS = 1;
const NEXT_POINT = 2;
const FILES = 3;
const FIRST_FILE = 4;
const FILE_WORDS = 3;
const MOST_FILES = 4096;
export const REGISTRY_WORDS = FIRST_FILE + FILE_WORDS * MOST_FILES;
/** Buffers begin at multiples of it, so that elements of any width are aligned. */
const ALIGNMENT = 8;

// The originals: what the program calls is wrapped.
const { add, compareExchange, notify, store, wait } = Atomics;

export const FIRST_ADDRESS = ALIGNMENT;
/** The point 0 is one that nobody has told. */
const FIRST_POINT = 1;

export class Registry {
  private readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  /** Address of the first byte of a new buffer. */
  place(byteLength: number): number {
    const size = Math.ceil(Math.max(1, byteLength) / ALIGNMENT) * ALIGNMENT;
    const address = add(this.words, NEXT_ADDRESS, size);
    if (address + size > MOST_BYTES) throw new Error('unweave: more than a gigabyte of shared memory');
    return address;
  }

  /** The next buffer begins here; the address 0 is nobody's. */
  get next(): number {
    return this.words[NEXT_ADDRESS]!;
  }

  set next(address: number) {
    this.words[NEXT_ADDRESS] = address;
  }

  /** First number of the points of a file; equal for equal text in every thread. */
  points(fileHash: number, count: number): number {
    const { words } = this;
    while (compareExchange(words, LOCK, 0, 1) !== 0) wait(words, LOCK, 1, 1);
    try {
      const files = words[FILES]!;
      for (let i = 0; i < files; i++) {
        const at = FIRST_FILE + FILE_WORDS * i;
        if (words[at] === fileHash && words[at + 1] === count) return words[at + 2]!;
      }
      if (files === MOST_FILES) throw new Error(`more than ${MOST_FILES} instrumented files`);
      const at = FIRST_FILE + FILE_WORDS * files;
      const first = Math.max(FIRST_POINT, words[NEXT_POINT]!);
      words[at] = fileHash;
      words[at + 1] = count;
      words[at + 2] = first;
      words[FILES] = files + 1;
      words[NEXT_POINT] = first + count;
      return first;
    } finally {
      store(words, LOCK, 0);
      notify(words, LOCK, 1);
    }
  }
}

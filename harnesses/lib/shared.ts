/** Programs of worker threads over one piece of shared memory with named fields. */
import { allocate, attach, type Part } from '../../monitor/threads/api.ts';
import { type Expectation, type ThreadHarnessSpec, threadHarness } from '../api.ts';

export interface SharedProgram<S> extends Pick<ThreadHarnessSpec<unknown, S>, 'name' | 'threads' | 'check'> {
  readonly memory: Part<S>;
  /** What the memory holds at first, where that is not zeros. */
  readonly initial?: (state: S) => void;
  readonly expect: Expectation;
}

/** Registers a harness over fresh memory of its own. */
export function shared<S>({ memory, initial, ...rest }: SharedProgram<S>): void {
  threadHarness({
    ...rest,
    memory: () => {
      const buffer = allocate(memory);
      initial?.(attach(memory, buffer));
      return buffer;
    },
    attach: (buffer) => attach(memory, buffer),
  });
}

/** Two programs that differ in what they build over their memory only: one with a race and one without. */
export interface SharedTwins<S> extends Omit<SharedProgram<S>, 'memory' | 'expect'> {
  readonly bad: Part<S>;
  readonly ok: Part<S>;
  /** What is to be found in the bad one. */
  readonly expect: Omit<Expectation, 'bug'>;
}

/** Registers `<name>/bad` and `<name>/ok`. */
export function sharedTwins<S>({ name, bad, ok, expect, ...rest }: SharedTwins<S>): void {
  shared({ ...rest, name: `${name}/bad`, memory: bad, expect: { bug: true, ...expect } });
  shared({ ...rest, name: `${name}/ok`, memory: ok, expect: { bug: false } });
}

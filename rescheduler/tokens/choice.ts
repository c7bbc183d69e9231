/** Who is next where no grant says so; runs in whichever thread holds the token, on state that all of them share. */
import { CHOICE, H, pctOf, record, STATE, T, UNBOUNDED } from './control.ts';

/** A thread and how many steps it may take. */
export interface Grant {
  readonly thread: number;
  readonly steps: number;
}

/** Who has held the token: its thread, or -1, and the steps that it took; `leaving`: it cannot go on. */
export interface Held {
  readonly by: number;
  readonly steps: number;
  readonly leaving: boolean;
}

/** `able`: threads that can run, in their order, at least one. */
export function choose(words: Int32Array, able: readonly number[], held: Held): Grant {
  switch (words[H.Choice]) {
    case CHOICE.Random:
      return random(words, able);
    case CHOICE.Pct:
      return byPriority(words, able, held);
    default:
      return observed(able, held.leaving ? (held.by + 1) % words[H.Threads]! : held.by);
  }
}

/** Nobody is preempted: who holds the token keeps it, and then it goes round. */
function observed(able: readonly number[], current: number): Grant {
  const thread = able.find((each) => each >= current) ?? able[0]!;
  return { thread, steps: UNBOUNDED };
}

/** Any thread, for a stretch whose length has the mean that the execution was given. */
function random(words: Int32Array, able: readonly number[]): Grant {
  const thread = able[Math.floor(next(words) * able.length)]!;
  const mean = words[H.Stretch]!;
  return { thread, steps: 1 + Math.floor(-Math.log(1 - next(words)) * (mean - 1)) };
}

/** The one with the highest priority, to where somebody falls. */
function byPriority(words: Int32Array, able: readonly number[], { by, steps }: Held): Grant {
  const pct = pctOf(words);
  pct.took(steps, by);
  return { thread: pct.choose(able), steps: pct.untilNext };
}

/** Uniform in [0, 1): the mulberry32 of data/generator.ts, with its state in shared memory. */
function next(words: Int32Array): number {
  const state = (words[H.Seed]! + 0x6d2b79f5) | 0;
  words[H.Seed] = state;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

/** Threads that are in a state, in their order. */
export function inState(words: Int32Array, state: number): number[] {
  const found: number[] = [];
  const threads = words[H.Threads]!;
  for (let thread = 0; thread < threads; thread++)
    if (words[record(thread) + T.State] === state) found.push(thread);
  return found;
}

export const isReady = (words: Int32Array, thread: number): boolean =>
  words[record(thread) + T.State] === STATE.Ready;

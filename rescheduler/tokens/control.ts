/**
 * The shared memory by which threads pass the token: whoever holds it runs, and writes here; the others wait on
 * their own word. Indices into one Int32Array: a header, then a record for each thread.
 */

import type { PctPlan } from '../../data/run.ts';
import { REGISTRY_WORDS } from '../../monitor/threads/registry.ts';
import { ALL_GATE_RULES, type GateRules } from '../gate/result.ts';
import { PCT_WORDS, Pct } from '../strategies/pct.ts';

/** Words of the header. */
export const H = {
  /** Raised for every execution: threads begin it when they see a new one. Negative: the pool closes. */
  Generation: 0,
  Threads: 1,
  /** The main thread waits on it; see {@link SIGNAL}. */
  Signal: 2,
  /** See {@link OUTCOME}. */
  Outcome: 3,
  /** Index of the grant that is being used up, and how many there are. */
  Grant: 4,
  Grants: 5,
  /** What chooses when no grant is left; see {@link CHOICE}. */
  Choice: 6,
  /** State of the generator of random choices. */
  Seed: 7,
  /** Mean steps between two random switches. */
  Stretch: 8,
  /** The grant that could not be used up, from 0; -1: none so far. */
  Strayed: 9,
  /** 1: the thread was blocked there (infeasible), 2: it had ended (diverged). */
  StrayKind: 10,
  /** Threads that are ready to begin; those that are through with the execution. */
  Arrived: 11,
  Unwound: 12,
  Switches: 13,
  /** Events in the log that the main thread has not taken. */
  Events: 14,
  /** Number of the last thread that began to wait: first in, first out. */
  Ticket: 15,
  /** Virtual time, ms. */
  Clock: 16,
  /** Threads that wait for a write or a notification. */
  Waiting: 17,
  /** How often all that could run were spinning, with no write since. */
  Idle: 18,
  /** Threads whose body threw. */
  Failed: 19,
  /** 1: threads tell which views they met. */
  Recording: 20,
  /** Where threads have event loops: who may take the token as it lies; see {@link FREE}. */
  Free: 21,
  /** There: who has the token; -1: nobody. */
  Owner: 22,
  /** There: 1: a grant was given up because its thread did not come in time. */
  Stalled: 23,
  /** There: raised whenever the token goes to somebody. */
  Turns: 24,
  /** 1: calls and passes of loops are told as transactions. */
  Transactions: 25,
  /** Of threads that run freely: how many have ended, and the number of the next event. */
  Finished: 26,
  Sequence: 27,
  /** Rules that are off; see {@link RULE}. */
  Without: 28,
  /** Of bodies with event loops: 1: chance chooses the deliveries, too. */
  Deliveries: 29,
  /** Their ms of the epoch at which the execution began: millions, and the rest. */
  EpochMillions: 30,
  EpochRest: 31,
  /** Words of the log that the main thread has taken. */
  Taken: 32,
  /** State of {@link Pct}. */
  Pct: 34,
  Size: 34 + PCT_WORDS + (PCT_WORDS % 2),
} as const;

/** Words of a thread. */
export const T = {
  /** 1: it has the token. */
  Go: 0,
  /** See {@link STATE}. */
  State: 1,
  /** Steps of its grant. */
  Left: 2,
  /** What it waits for: an address in shared memory. */
  Address: 3,
  Ticket: 4,
  /** Virtual time at which its wait ends by itself; -1: never. */
  Deadline: 5,
  /** How its wait ended; see {@link WOKEN}. */
  Woken: 6,
  /** The annotated operation that it waits in, its place and its point; -1: none. */
  Operation: 7,
  Place: 8,
  Point: 9,
  /** Of a thread with an event loop: when the earliest was due of what it has yet to do, in virtual time. */
  Behind: 10,
  /** 1: it sleeps until it is woken, or is about to. */
  Asleep: 11,
  /** Of a worker of a program: 1: code of the program may be under way, and not only its event loop; 1: it is to stop there. */
  Inside: 12,
  Quit: 13,
  /** The thread that made it. */
  Parent: 14,
  Size: 16,
} as const;

/** Ended: nobody can run any more; over: all threads are through with the execution. */
export const SIGNAL = { Running: 0, Ended: 1, LogFull: 2, Over: 3 } as const;
export const OUTCOME = { Running: 0, Ended: 1, Deadlock: 2 } as const;
/**
 * Active and idle are states of threads with event loops of their own: a thread that is active runs without the token, and
 * will come for it, become idle or end, whatever others do; an idle one waits for something from outside. Where event loops
 * are gated, a sleeping thread can go on as soon as time passes.
 */
export const STATE = {
  New: 0,
  Ready: 1,
  Blocked: 2,
  Spinning: 3,
  Ended: 4,
  Active: 5,
  Idle: 6,
  Sleeping: 7,
} as const;
/** Above `Reserved`: for the thread of that number only. */
export const FREE = { Held: 0, Anybody: 1, Reserved: 2 } as const;
export const CHOICE = { Observed: 0, Random: 1, Pct: 2 } as const;
export const WOKEN = { Notified: 0, TimedOut: 1 } as const;
export const STRAY = { Infeasible: 1, Diverged: 2 } as const;

/** Steps of a grant that ends with the thread. */
export const UNBOUNDED = 0x7fffffff;
/** Words of an event: thread, operation and point; object. */
export const EVENT_WORDS = 2;
/** Threads of a harness, at most. */
export const MOST_THREADS = 64;
const MAX_POINT = (1 << 20) - 1;

/** First word of a thread's record. */
export const record = (thread: number): number => H.Size + T.Size * thread;

/** What all threads of a pool share. */
export interface Control {
  readonly words: Int32Array;
  /** Pairs: thread, steps. */
  readonly grants: Int32Array;
  readonly log: Int32Array;
  /** Address space of buffers and numbers of program points; see monitor/threads/registry.ts. */
  readonly registry: Int32Array;
}

export const packEvent = (thread: number, op: number, point: number): number =>
  (thread << 24) | (op << 20) | point;
export const threadOf = (word: number): number => word >>> 24;
export const opOf = (word: number): number => (word >>> 20) & 15;
export const pointOf = (word: number): number => word & MAX_POINT;

/**
 * Rules between threads. Each can be turned off, for the tests that show what is then reported falsely:
 * - patience: a time-out passes only when no other thread can run;
 * - deadlines: the first that is due passes first;
 * - waiters: who has waited longest is notified first;
 * - clock: no thread reads a time before one that another thread has reached;
 * - pace: time passes in one thread only as far as no other one can be that late;
 * - together: what has come to a port is handed out together;
 * - news: that a worker has started, its messages and its end come in this order;
 * - alive: a port whose other end is closed keeps no thread alive.
 */
const OWN = ['patience', 'deadlines', 'waiters', 'clock', 'pace', 'together', 'news', 'alive'] as const;
const OF_LOOPS = Object.keys(ALL_GATE_RULES) as (keyof GateRules)[];

/** And those that the event loop of each thread obeys by itself. */
export type ThreadRule = (typeof OWN)[number] | keyof GateRules;

/** As bits. */
export const RULE = Object.fromEntries([...OWN, ...OF_LOOPS].map((rule, at) => [rule, 1 << at])) as Readonly<
  Record<ThreadRule, number>
>;
/** Chance chooses who is next, and not who has the token. */
export const byChance = (words: Int32Array): boolean => words[H.Choice] !== CHOICE.Observed;

/** The priorities of an execution, in the memory that its threads share. */
export const pctOf = (words: Int32Array): Pct => new Pct(words.subarray(H.Pct, H.Pct + PCT_WORDS));

export const isInForce = (words: Int32Array, rule: number): boolean => (words[H.Without]! & rule) === 0;

/** Which rules the event loops of an execution obey. They take turns of their own when they rest. */
export const loopRules = (words: Int32Array): Partial<GateRules> => ({
  ...Object.fromEntries(OF_LOOPS.map((rule) => [rule, isInForce(words, RULE[rule])])),
  rounds: false,
});

/** By chance: any thread for a stretch of so many steps on average, or by priorities. */
export type Chance =
  | { readonly kind: 'random'; readonly seed: number; readonly stretch: number }
  | ({ readonly kind: 'pct' } & PctPlan);

/** How an execution is to go. */
export interface TokenOrder {
  /** Pairs: thread, steps; from the last one on the strategy chooses. */
  readonly grants: ArrayLike<number>;
  /** Null: nobody is preempted but by a grant. */
  readonly chance: Chance | null;
  /** {@link RULE} bits; 0: all rules are in force. */
  readonly without: number;
  /** Chance chooses the deliveries of event loops, too. */
  readonly deliveries?: boolean;
}

/** Shared memory for this many threads; `grants`: pairs, `events`: before the log has to be drained. */
export function newControl(threads: number, grants: number, events: number): Control {
  return {
    words: shared(record(threads)),
    grants: shared(2 * Math.max(1, grants)),
    log: shared(EVENT_WORDS * events),
    registry: shared(REGISTRY_WORDS),
  };
}

export const shared = (words: number): Int32Array =>
  new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * words));

/** Writes an order into memory in which all else is zero, or what lasts. */
export function setOrder(
  { grants: list, words }: Control,
  { chance, deliveries = false, grants, without }: TokenOrder,
): void {
  list.set(grants);
  words[H.Strayed] = -1;
  words[H.Grant] = -1;
  words[H.Grants] = grants.length / 2;
  words[H.Choice] = chance === null ? CHOICE.Observed : chance.kind === 'pct' ? CHOICE.Pct : CHOICE.Random;
  words[H.Seed] = chance?.seed ?? 0;
  words[H.Stretch] = chance?.kind === 'random' ? chance.stretch : 1;
  if (chance?.kind === 'pct') pctOf(words).begin(chance);
  words[H.Without] = without;
  words[H.Deliveries] = deliveries ? 1 : 0;
}

/** When something has taken too long, on a machine that may be busy with other things. */
import fs from 'node:fs';
import { native } from './gate/native.ts';

// Taken before anything is wrapped: it is asked in the process under test as well.
const { readdirSync, readFileSync } = fs;

/** What a busy machine withholds is given back up to this many times the time that was allowed. */
const MOST = 2;
/** Less than this share of the time allowed is no busy machine, and before this much of it is over nobody asks. */
const LEAST = 0.1;

/** Whose processor time counts. */
export type Pid = number | 'self';

/** Both in ms. */
export interface Clocks {
  now(): number;
  /** What was withheld so far. */
  withheld(): number;
}

/**
 * A bound on real time. Time in which threads of the process were ready to run and the machine gave its processors to
 * others does not count: what a test does must not depend on what else runs beside it.
 */
export class Deadline {
  private readonly ms: number;
  private readonly clocks: Clocks;
  private readonly begin: number;
  private end: number;
  private seen: number | null = null;
  private returned = 0;

  /** `ms` from now. */
  constructor(
    ms: number,
    pid: Pid = 'self',
    clocks: Clocks = { now: native.now, withheld: () => withheldFrom(pid) },
  ) {
    this.ms = ms;
    this.clocks = clocks;
    this.begin = clocks.now();
    this.end = this.begin + ms;
  }

  /** Real ms that are left; not more than 0 when it is over. To be asked now and then. */
  left(): number {
    const now = this.clocks.now();
    if (now - this.begin < LEAST * this.ms) return this.end - now;
    this.seen ??= this.clocks.withheld();
    if (now < this.end) return this.end - now;
    const withheld = this.clocks.withheld();
    const back = Math.min(withheld - this.seen, MOST * this.ms - this.returned);
    this.seen = withheld;
    if (back > LEAST * this.ms) {
      this.returned += back;
      this.end = now + back;
    }
    return this.end - now;
  }

  /** Calls `then` when it is over, unless the function that it returns was called before. */
  whenOver(then: () => void): () => void {
    const look = (): void => {
      const left = this.left();
      if (left > 0) timer = native.setTimeout(look, left);
      else then();
    };
    let timer = native.setTimeout(look, LEAST * this.ms + 1);
    return () => native.clearTimeout(timer);
  }
}

/**
 * For how many ms threads of a process have been ready to run without a processor, in all. Linux tells it for every
 * thread (`/proc/<pid>/task/<tid>/schedstat`); elsewhere, and of a process that is gone, it is 0.
 */
export function withheldFrom(pid: Pid): number {
  const tasks = `/proc/${pid}/task`;
  let ns = 0;
  try {
    for (const thread of readdirSync(tasks))
      ns += Number(readFileSync(`${tasks}/${thread}/schedstat`, 'utf8').split(' ')[1]);
  } catch {
    // No such file system, or a thread that has just ended.
  }
  return ns / 1e6;
}

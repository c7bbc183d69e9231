/** The steps of a run as a file that is written step by step: it outlives a process whose turn never ends. */
import fs from 'node:fs';
import { natively } from '../gate/session.ts';

// Taken before the program can put others in their place.
const { openSync, readFileSync, statSync, writeSync } = fs;

const fileOf = (out: string): string => `${out}.steps`;

/** Begins the journal of a run whose result goes to `out`; call what comes back with each step. */
export function beginJournal(out: string): (step: string) => void {
  const fd = openSync(fileOf(out), 'w');
  return (step) => natively(() => void writeSync(fd, `${step}\n`));
}

/** A turn that computes for so many times as long as its whole run may take goes on for ever. */
const SPINNING = 1.25;
/** One that has not ended after so many times as long, and so many ms, and computes less than this share of it, waits. */
const BUSY = 1.5;
const GRACE_MS = 1000;
const WAITING = 0.02;

/** Of one tick of the times that Linux tells, ms. */
const TICK_MS = 10;

export interface TurnWatch {
  /** The process was at work in one turn until it was given up: it did not wait for anything. */
  spins: boolean;
  heard(): void;
  look(pid: number): boolean;
}

/** What the watch needs of the world; tests give their own. Times in ms. */
export interface TurnWorld {
  now(): number;
  /** Time of processors that a process has used; 0 where the system does not tell. */
  cpu(pid: number): number;
}

/** Time of processors that a process has used, ms; 0 where the system does not tell. */
export function computedBy(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  } catch {
    return 0;
  }
}

const REAL: TurnWorld = { now: () => performance.now(), cpu: computedBy };

/**
 * Gives up a run whose present turn does not end: its own watchdog only looks between turns. As long as it takes steps
 * that watchdog is enough.
 */
export function endlessTurn(out: string, watchdogMs: number, world: TurnWorld = REAL): TurnWatch {
  let written = -1;
  let since = 0;
  let used = 0;
  return {
    spins: false,
    heard() {},
    look(pid) {
      const size = statSync(fileOf(out), { throwIfNoEntry: false })?.size;
      if (size === undefined) return true;
      const now = world.now();
      if (size !== written) {
        [written, since, used] = [size, now, world.cpu(pid)];
        return true;
      }
      const [turn, computed] = [now - since, world.cpu(pid) - used];
      this.spins = computed >= SPINNING * watchdogMs;
      const waits = turn >= BUSY * watchdogMs + GRACE_MS && computed < WAITING * turn;
      return !this.spins && !waits;
    },
  };
}

/** The steps that were begun; null: the run did not come to its beginning. */
export function readJournal(out: string): readonly string[] | null {
  if (!statSync(fileOf(out), { throwIfNoEntry: false })) return null;
  return readFileSync(fileOf(out), 'utf8').split('\n').slice(0, -1);
}

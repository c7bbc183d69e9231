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

/** A turn that is on when the watchdog is due may come to its end for so many ms. */
const GRACE_MS = 1000;
/** The time that a busy machine withholds from a run is given back up to this factor. */
const BUSY = 1.5;

/** A turn that goes on for ever uses a processor for this share of the watchdog at least; whoever waits uses none. */
const SPINNING = 0.5;
/** Of one tick of the times that Linux tells, ms. */
const TICK_MS = 10;

export interface TurnWatch {
  /** The process was at work when it was given up: it did not wait for anything. */
  spins: boolean;
  heard(): void;
  look(pid: number): boolean;
}

/** Time of processors that a process has used; 0 where the system does not tell. */
function cpuMs(pid: number): number {
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

/** Gives up a run that should have been ended by its own watchdog, since its present turn does not let it. */
export function endlessTurn(out: string, watchdogMs: number): TurnWatch {
  let began: number | null = null;
  return {
    spins: false,
    heard() {},
    look(pid) {
      const now = performance.now();
      if (began === null && statSync(fileOf(out), { throwIfNoEntry: false })) began = now;
      if (began === null || now - began < BUSY * watchdogMs + GRACE_MS) return true;
      this.spins = cpuMs(pid) > SPINNING * watchdogMs;
      return false;
    },
  };
}

/** The steps that were begun; null: the run did not come to its beginning. */
export function readJournal(out: string): readonly string[] | null {
  if (!statSync(fileOf(out), { throwIfNoEntry: false })) return null;
  return readFileSync(fileOf(out), 'utf8').split('\n').slice(0, -1);
}

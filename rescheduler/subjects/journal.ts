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

/** Gives up a run that should have been ended by its own watchdog, since its present turn does not let it. */
export function endlessTurn(out: string, watchdogMs: number): { heard(): void; look(): boolean } {
  let began: number | null = null;
  return {
    heard() {},
    look() {
      const now = performance.now();
      if (began === null && statSync(fileOf(out), { throwIfNoEntry: false })) began = now;
      return began === null || now - began < BUSY * watchdogMs + GRACE_MS;
    },
  };
}

/** The steps that were begun; null: the run did not come to its beginning. */
export function readJournal(out: string): readonly string[] | null {
  if (!statSync(fileOf(out), { throwIfNoEntry: false })) return null;
  return readFileSync(fileOf(out), 'utf8').split('\n').slice(0, -1);
}

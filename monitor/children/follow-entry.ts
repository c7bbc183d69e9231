/** A child process of a program under test: tells what it touches, and asks before it does so where others are beside it. */
import { tellWholePaths } from '../host/fs-paths.ts';
import { onWorker } from '../host/workers.ts';
import { noteAddons, noteDrivers } from './note-drivers.ts';
import { noteFiles } from './note-files.ts';
import { noteProcesses } from './note-processes.ts';
import { ChildNotes } from './notes.ts';
import type { ChildJob } from './protocol.ts';
import { ChildStatements } from './statements.ts';
import { ChildSteps } from './steps.ts';

export function follow(told: ChildJob): void {
  tellWholePaths();
  const notes = new ChildNotes(told);
  // Before what asks: it looks at what is done without.
  noteFiles(notes);
  const steps = new ChildSteps(notes);
  steps.install();
  noteDrivers(notes, new ChildStatements(notes, () => steps.went()));
  noteAddons(notes);
  onWorker(() => notes.tell({ kind: 'unseen', what: 'a thread' }));
  noteProcesses(notes, told);
  notes.tell({ kind: 'begun' });
}

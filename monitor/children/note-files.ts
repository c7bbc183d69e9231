/** Looks at the files that a child touches, without any part in how it does so. */
import { constants } from 'node:fs';
import { AccessList } from '../host/fs-accesses.ts';
import { type FsCall, fsBinding } from '../host/fs-binding.ts';
import { aboutJob, copiedTree, type FsJob, jobsOf } from '../host/fs-jobs.ts';
import { pathOf } from '../host/fs-paths.ts';
import { FS_SYNC_TABLE, FS_TABLE, type FsRow } from '../host/fs-table.ts';
import { watchCopies } from '../host/fs-tree.ts';
import { replaceMethod } from '../replace.ts';
import type { ChildNotes } from './notes.ts';

/** What is done by a descriptor was told when that was opened. */
const OPENS: ReadonlySet<string> = new Set(['open', 'openFileHandle']);

export function noteFiles(notes: ChildNotes): void {
  const binding = fsBinding();
  watchCopies(binding);
  for (const { name, prototype, row } of jobsOf(binding)) {
    const { run } = prototype;
    replaceMethod(prototype, 'run', function (this: FsJob, path?: unknown) {
      if (!notes.isOurs)
        note(
          notes,
          name,
          row,
          aboutJob(this, path),
          notes.natively(() => copiedTree(this, path)),
        );
      return run.call(this, path);
    });
  }
  for (const [name, row] of Object.entries({ ...FS_TABLE, ...FS_SYNC_TABLE })) {
    const native = binding[name];
    if (typeof native !== 'function') continue;
    replaceMethod(binding, name, function (this: unknown, ...args: unknown[]) {
      if (!notes.isOurs && typeof args[0] !== 'number') note(notes, name, row, args);
      return (native as FsCall).apply(this, args);
    });
  }
}

function note(notes: ChildNotes, name: string, row: FsRow, args: readonly unknown[], value?: unknown): void {
  const list = new AccessList();
  try {
    // Whether it will succeed is not known: what is tried counts.
    row.touches(list, args, { failed: false, existed: false, value });
    if (OPENS.has(name) && (Number(args[1]) & 3) !== constants.O_RDONLY) list.write(pathOf(args[0]));
  } catch {
    return;
  }
  notes.touch(list.list);
}

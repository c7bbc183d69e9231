/** Tells of the processes that a child starts itself, and has them followed as it is. */
import { bindingOf } from '../host/bindings.ts';
import { programOf, readOptions } from '../host/started.ts';
import { wrapMethod } from '../replace.ts';
import { isFollowable, tell } from './followable.ts';
import type { ChildNotes } from './notes.ts';
import type { ChildFiles, ChildJob } from './protocol.ts';

interface Started {
  onexit?: (...values: unknown[]) => void;
}

export function noteProcesses(notes: ChildNotes, told: ChildJob): void {
  let started = 0;
  /** The number of the one that is about to start. */
  const begins = (args: readonly unknown[]): number => {
    const k = ++started;
    const options = readOptions(args);
    const { file, given, pairs } = options;
    const path = told.notes.replace(/\.notes$/, `.${k}`);
    const files: ChildFiles | null = isFollowable(options)
      ? { notes: `${path}.notes`, grants: `${path}.grants` }
      : null;
    if (files) {
      tell(pairs!, { preload: told.preload, ...files });
      notes.prepare(files);
    }
    notes.tell({ kind: 'started', k, what: programOf(file, given), files });
    return k;
  };
  wrapMethod(
    bindingOf('process_wrap').Process.prototype,
    'spawn',
    (native) =>
      function (this: unknown, ...args) {
        const k = begins(args);
        const error = native.apply(this, args);
        if (error !== 0) {
          notes.tell({ kind: 'ended', k });
          return error;
        }
        const handle = this as Started;
        const { onexit } = handle;
        handle.onexit = (...values) => {
          notes.tell({ kind: 'ended', k });
          onexit?.apply(handle, values);
        };
        return error;
      },
  );
  wrapMethod(
    bindingOf('spawn_sync'),
    'spawn',
    (native) =>
      function (this: unknown, ...args) {
        const k = begins(args);
        try {
          return native.apply(this, args);
        } finally {
          notes.tell({ kind: 'ended', k });
        }
      },
  );
}

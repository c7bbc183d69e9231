/** The main thread of a program whose threads all have their event loops under the gate. */
import { native } from '../../gate/native.ts';
import { setEpoch } from '../../tokens/companions.ts';
import { leave, leaveWith, stuck } from '../ending.ts';
import { watchExit } from '../exit.ts';
import { failed } from '../failure.ts';
import type { ThreadExecution } from '../thread.ts';
import { takeGatedPart } from './gated-part.ts';
import { wrapGatedWorkers } from './gated-workers.ts';
import { setGatedMain } from './main.ts';

/** For the hooks and the report of the user's runner, real ms. */
const GRACE_MS = 250;

const { exit } = process;

export function beginGated(execution: ThreadExecution): void {
  setEpoch(execution.control.words, native.date());
  const part = takeGatedPart({ execution, self: 0, name: 'main', parent: 0 }, () => stuck(execution));
  part.notes.tell({ thread: 0, name: 'main' });
  wrapGatedWorkers(part);
  process.on('uncaughtExceptionMonitor', failed);
  let isLeft = false;
  watchExit((code) => {
    part.holder.close();
    // Of a process that never came to it nobody wants to know.
    if (!isLeft && part.phase() !== 'before') leaveWith(execution, code);
  });
  setGatedMain({
    part,
    passed() {
      native
        .setTimeout(() => {
          // What is cut off here is no failure.
          isLeft = true;
          part.holder.close();
          leave(execution, { outcome: 'ended', failure: null });
          exit.call(process, 0);
        }, GRACE_MS)
        .unref();
    },
  });
}

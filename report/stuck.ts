/** Why nobody goes on, by the lines that say who waits for what. */
import { code } from './entity.ts';
import { count, enumerate } from './layout.ts';
import type { ShapeText } from './view.ts';

/** Who waits, by the line that says it. */
const waiting = (line: string): string => code(line.slice(0, line.indexOf(' waits ')).replaceAll('`', ''));

const ORDER = 'take locks in one order everywhere, or release the first before waiting for the second';

/** Each holds what another one waits for. */
export const circle = (waits: readonly string[]): ShapeText => ({
  name: 'deadlock',
  sentence: `${enumerate(waits.map(waiting))} each hold what another of them waits for`,
  hint: ORDER,
});

/** A thread whose event loop is empty; one that waits for a lock; one that waits to be woken. */
const IDLE = /: nothing is left in its event loop$/;
const LOCK = / waits (?:for (?!a signal of )|to read )/;

export function stuckThreads(waits: readonly string[]): ShapeText {
  const blocked = waits.filter((line) => !IDLE.test(line));
  if (blocked.some((line) => LOCK.test(line)))
    return {
      name: 'deadlock',
      sentence:
        waits.length > 1
          ? `${count(waits.length, 'task')} wait for each other and nothing else can run`
          : waits[0]!,
      hint: ORDER,
    };
  if (blocked.length === 0)
    return {
      name: 'deadlock',
      sentence: `the test waits for something that can never come: nothing is left to do for ${enumerate(waits.map(waiting))}`,
      hint: 'look for a message that is not sent in this order, or that goes to somebody else: another one may have taken the place of what it is for (a variable, a listener) meanwhile',
    };
  const where = (line: string): string => line.slice(line.indexOf(' waits ')).replace(/^ waits /, '');
  return {
    name: 'missed wake-up',
    sentence: `${enumerate(blocked.map((line) => `${waiting(line)} waits ${where(line)}`))}, and nobody who goes on wakes ${blocked.length > 1 ? 'them' : 'it'} up`,
    hint: 'let whoever waits say so before it looks at what it waits for (`Atomics.wait` only waits where the value that was looked at is still there), and whoever changes that wake it up in any case',
  };
}

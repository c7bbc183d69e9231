/** What a worker of a program is told when it is made, so that it takes part. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where a worker finds its place in an execution: a key of the environment data that it inherits. */
export const PLACE = 'unweave:place';

/** Options by which workers made of text load what has them take part. */
export const START_OPTIONS: readonly string[] = [
  '--require',
  fileURLToPath(new URL(`./start${extname(import.meta.url)}`, import.meta.url)),
];

/** Such a worker finds its own options alone. */
export function hideStart(): void {
  const [require, start] = START_OPTIONS as [string, string];
  const at = process.execArgv.lastIndexOf(start);
  if (at > 0 && process.execArgv[at - 1] === require) process.execArgv.splice(at - 1, 2);
}

/**
 * A module as the executors run it: rewritten into a function and linked by us, with all that it imports, in the realm of
 * the process. What cannot be rewritten runs in a process of its own there, and is not compared here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { createLinker, NotLinkable } from '../../monitor/modules/linker.ts';
import type { Scenario } from './cases.ts';
import { type Change, ended, named, type Suite } from './outcome.ts';

const done = new Set<string>();
let printed: string[] = [];
Object.defineProperty(globalThis, 'print', {
  value: (text: unknown) => printed.push(String(text)),
  configurable: true,
});
Object.defineProperty(globalThis, '$262', { value: { global: globalThis }, configurable: true });

/** What {@link outcome} says of a module; null where it is not linkable. */
export async function linkedOutcome(
  suite: Suite,
  scenario: Scenario,
  change: Change,
): Promise<string | null> {
  printed = [];
  for (const name of scenario.includes) {
    if (done.has(name)) continue;
    done.add(name);
    new Script(readFileSync(join(suite.harness, name), 'utf8')).runInThisContext();
  }
  const file = join(suite.tests, scenario.file);
  const linker = createLinker({
    isFresh: (path) => path.startsWith(suite.tests),
    transform: (text, path, format) => change(text, format, path),
  });
  try {
    await linker.load(file);
  } catch (error) {
    return error instanceof NotLinkable ? null : `compile: ${named(error)}`;
  }
  const run = linker.instance().import(file);
  return ended(
    run.then(() => 'done'),
    scenario,
    printed,
  );
}

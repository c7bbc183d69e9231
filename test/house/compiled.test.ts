/** What the sources name by its path and an extension of the moment is a file of its own in the compiled package. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NAMED =
  /(?:`|entryUrl\(')(\.\.?\/[\w./-]+?)(\.c)?(?:\$\{(?:extension|extname\(import\.meta\.url\))|', import\.meta\.url\))/g;

test('modules that are found by their paths are compiled to files', () => {
  const named = globSync('{cli,monitor,predictor,report,rescheduler}/**/*.ts', { cwd: ROOT }).flatMap(
    (file) =>
      Array.from(readFileSync(join(ROOT, file), 'utf8').matchAll(NAMED), ([, path = '', common]) =>
        join(dirname(file), `${path}${common ? '.cjs' : '.js'}`),
      ),
  );
  assert.ok(named.length > 15, `${named.length}`);
  assert.deepEqual(
    named.filter((file) => !existsSync(join(ROOT, 'dist', file))),
    [],
  );
});

/** What a compiled file loads at once. */
function loadedWith(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found;
  const text = readFileSync(file, 'utf8');
  found.set(file, text);
  for (const [, path = ''] of text.matchAll(/^(?:import|export)[^;]*?"(\.[^"]+)";/gm))
    loadedWith(join(dirname(file), path), found);
  return found;
}

test('what needs no gate does not load the file that it is in', () => {
  const GATE = '// rescheduler/gate/run.ts\n';
  const hasGate = (entry: string): boolean =>
    loadedWith(join(ROOT, 'dist', `${entry}.js`))
      .values()
      .some((text) => text.includes(GATE));
  assert.ok(hasGate('rescheduler/subjects/worker-entry'));
  const without = ['monitor/children/follow-entry', 'rescheduler/subjects/preload-hooks'];
  assert.deepEqual(without.filter(hasGate), []);
});

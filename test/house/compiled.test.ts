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

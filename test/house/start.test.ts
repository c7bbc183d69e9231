/** Each process of a user's command begins with us: it loads what it needs for that, and the gate only where something is run. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Those of types alone are gone when it runs. */
const IMPORT = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gms;

/** All modules that are loaded with one. */
function closure(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
    closure(resolve(dirname(file), path), found);
  return found;
}

test('no adapter of a runner brings the gate with it', () => {
  const loaded = [...closure(join(ROOT, 'rescheduler/runners/install.ts'))].map((file) =>
    relative(ROOT, file),
  );
  assert.ok(loaded.includes('rescheduler/runners/mocha/adapter.ts'));
  assert.deepEqual(
    loaded.filter((file) => file.startsWith('rescheduler/gate/') || file === 'monitor/host/install.ts'),
    [],
  );
});

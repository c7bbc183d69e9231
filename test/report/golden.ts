/** Golden files: `UPDATE_GOLDENS=1` rewrites them; the difference is then reviewed like any other. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Compares a text with `golden/<name>.golden.txt`. */
export function matchesGolden(name: string, actual: string): void {
  const folder = new URL('./golden/', import.meta.url);
  const file = new URL(`${name}.golden.txt`, folder);
  if (process.env['UPDATE_GOLDENS'] === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, actual);
    return;
  }
  assert.equal(
    actual,
    readFileSync(file, 'utf8'),
    `differs from ${name}.golden.txt; UPDATE_GOLDENS=1 rewrites it`,
  );
}

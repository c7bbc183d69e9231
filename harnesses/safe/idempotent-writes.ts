/**
 * Everybody writes the same.
 * Looks racy: writes of one file and one field overlap. Safe: whichever comes last, the outcome is equal,
 * and nobody reads before the end.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class Marker {
  ready = false;
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'version.txt');
  }

  async mark(): Promise<void> {
    this.ready = true;
    await writeFile(this.path, 'v2');
    this.ready = true;
  }
}

harness({
  name: 'idempotent-writes',
  setup: ({ dir }) => new Marker(dir),
  tasks: {
    one: (marker) => marker.mark(),
    two: (marker) => marker.mark(),
    three: (marker) => marker.mark(),
  },
  check: async ({ path, ready }) => {
    assert.ok(ready);
    assert.equal(await readFile(path, 'utf8'), 'v2');
  },
  expect: { bug: false },
});

/**
 * Two writers publish whole snapshots while readers load them.
 * Looks racy: one name, several writers and readers. Safe: each writes a file of its own and renames it.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { harness } from '../api.ts';
import { readJson, replaceJson } from '../lib/files.ts';

interface Snapshot {
  readonly by: string;
  readonly rows: readonly number[];
  readonly sum: number;
}

class SnapshotStore {
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'snapshot.json');
  }

  async publish(by: string, rows: readonly number[]): Promise<void> {
    const sum = rows.reduce((total, row) => total + row, 0);
    await replaceJson(this.path, { by, rows, sum }, by);
  }

  async verify(): Promise<void> {
    const { rows, sum } = await readJson<Snapshot>(this.path);
    assert.equal(
      rows.reduce((total, row) => total + row, 0),
      sum,
    );
  }
}

harness({
  name: 'snapshot-publish',
  setup: async ({ dir }) => {
    const store = new SnapshotStore(dir);
    await store.publish('setup', []);
    return store;
  },
  tasks: {
    long: (store) => store.publish('long', [1, 2, 3, 4, 5]),
    short: (store) => store.publish('short', [9]),
    reader: (store) => store.verify(),
  },
  check: (store) => store.verify(),
  expect: { bug: false },
});

/**
 * node-json-db: two handlers store a preference each; the first use of the database loads its file.
 * 2.1.1: both find the database not loaded; the later load replaces the data that the other has already
 * changed. 2.1.2 loads under a lock.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as buggy from 'node-json-db-buggy';
import * as fixed from 'node-json-db-fixed';
import { type Expectation, harness } from '../api.ts';

interface Database {
  push(path: string, value: unknown): Promise<void>;
}

interface Preferences {
  readonly file: string;
  readonly database: Database;
}

function preferencesHarness(version: string, open: (file: string) => Database, expect: Expectation): void {
  harness<Preferences>({
    name: `node-json-db@${version}`,
    setup: async ({ dir }) => {
      const file = join(dir, 'preferences.json');
      await writeFile(file, JSON.stringify({ language: { root: 'en' } }));
      return { file, database: open(file) };
    },
    tasks: {
      ann: ({ database }) => database.push('/language/ann', 'nl'),
      bob: async ({ database }) => {
        await sleep(100);
        await database.push('/language/bob', 'fr');
      },
    },
    check: async ({ file }) => {
      const { language } = JSON.parse(await readFile(file, 'utf8'));
      assert.deepEqual(language, { root: 'en', ann: 'nl', bob: 'fr' });
    },
    expect,
  });
}

preferencesHarness('2.1.1', (file) => new buggy.JsonDB(new buggy.Config(file, true, false, '/')), {
  bug: true,
  // Without instrumenting the package, the race is seen on the file that is loaded and saved.
  pattern: ['RWW', 'WWR', 'RWR', 'WRW'],
  entityMatch: '^JsonDB#(loaded|data)$|^fs:.*preferences\\.json',
});

preferencesHarness('2.1.2', (file) => new fixed.JsonDB(new fixed.Config(file, true, false, '/')), {
  bug: false,
});

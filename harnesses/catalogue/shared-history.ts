/**
 * A history of searches in a JSON file.
 * Bad: read, append, write, by whoever comes. RWW on the file. Ok: a chain of promises, one save at a time.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, replaceJson } from '../lib/files.ts';
import { twins } from '../lib/twins.ts';

class History {
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'history.json');
  }

  async remember(search: string): Promise<void> {
    const searches = await readJson<string[]>(this.path);
    searches.push(search);
    await replaceJson(this.path, searches, search);
  }
}

class ChainedHistory extends History {
  #tail: Promise<void> = Promise.resolve();

  override remember(search: string): Promise<void> {
    this.#tail = this.#tail.then(() => super.remember(search));
    return this.#tail;
  }
}

const empty = async (history: History): Promise<History> => {
  await writeFile(history.path, '[]');
  return history;
};

twins<History>({
  name: 'shared-history',
  bad: ({ dir }) => empty(new History(dir)),
  ok: ({ dir }) => empty(new ChainedHistory(dir)),
  tasks: {
    cats: (history) => history.remember('cats'),
    dogs: async (history) => {
      await sleep(80);
      await history.remember('dogs');
    },
  },
  check: async ({ path }) => assert.deepEqual((await readJson<string[]>(path)).toSorted(), ['cats', 'dogs']),
  expect: { pattern: 'RWW', entityMatch: '^fs:.*history\\.json( \\(content\\))?$' },
});

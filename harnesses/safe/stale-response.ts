/**
 * A search box: a later search makes the answers of earlier ones worthless.
 * Looks racy: answers come in any order and write one field. Safe: an answer of an old generation is dropped.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '../api.ts';

class SearchBox {
  generation = 0;
  result = '';
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async search(term: string): Promise<void> {
    this.generation += 1;
    const mine = this.generation;
    const answer = await readFile(join(this.dir, `${term}.txt`), 'utf8');
    if (mine !== this.generation) return;
    this.result = answer;
  }
}

harness({
  name: 'stale-response',
  setup: async ({ dir }) => {
    for (const term of ['a', 'ab', 'abc']) await writeFile(join(dir, `${term}.txt`), `found ${term}`);
    return new SearchBox(dir);
  },
  tasks: {
    a: (box) => box.search('a'),
    ab: (box) => box.search('ab'),
    abc: async (box) => {
      await sleep(40);
      await box.search('abc');
    },
  },
  check: ({ result }) => assert.equal(result, 'found abc'),
  expect: { bug: false },
});

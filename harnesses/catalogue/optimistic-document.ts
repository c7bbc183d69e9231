/**
 * A document that two people edit.
 * Bad: an edit is based on the body of before its spell check. RWW.
 * Ok: an edit whose base has changed meanwhile is done again.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Wiki {
  body = 'intro';
  readonly dictionary: string;

  constructor(dir: string) {
    this.dictionary = join(dir, 'words.txt');
  }

  async append(word: string): Promise<void> {
    const base = this.body;
    await this.spellCheck(word);
    this.body = `${base} ${word}`;
  }

  async spellCheck(word: string): Promise<void> {
    const words = await readFile(this.dictionary, 'utf8');
    if (!words.includes(word)) throw new Error(`unknown word ${word}`);
  }
}

class OptimisticWiki extends Wiki {
  version = 0;

  override async append(word: string): Promise<void> {
    for (;;) {
      const { body, version } = this;
      await this.spellCheck(word);
      if (this.version !== version) continue;
      this.body = `${body} ${word}`;
      this.version += 1;
      return;
    }
  }
}

const withWords = async (wiki: Wiki): Promise<Wiki> => {
  await writeFile(wiki.dictionary, 'north south');
  return wiki;
};

twins<Wiki>({
  name: 'optimistic-document',
  bad: ({ dir }) => withWords(new Wiki(dir)),
  ok: ({ dir }) => withWords(new OptimisticWiki(dir)),
  tasks: {
    ann: (wiki) => wiki.append('north'),
    bob: async (wiki) => {
      await sleep(80);
      await wiki.append('south');
    },
  },
  check: ({ body }) => assert.deepEqual(body.split(' ').toSorted(), ['intro', 'north', 'south']),
  expect: { pattern: 'RWW', entity: 'Wiki#body' },
});

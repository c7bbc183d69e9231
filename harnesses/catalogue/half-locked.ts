/**
 * A guest book in a file.
 * Bad: the lock covers the writing, not the reading. RWW on the file. Ok: it covers both.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { readJson, replaceJson } from '../lib/files.ts';
import { twins } from '../lib/twins.ts';

class GuestBook {
  readonly lock = new Mutex();
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'guests.json');
  }

  async sign(name: string): Promise<void> {
    const guests = await readJson<string[]>(this.path);
    const release = await this.lock.acquire();
    try {
      await replaceJson(this.path, [...guests, name], name);
    } finally {
      release();
    }
  }
}

class LockedGuestBook extends GuestBook {
  override async sign(name: string): Promise<void> {
    const release = await this.lock.acquire();
    try {
      const guests = await readJson<string[]>(this.path);
      await replaceJson(this.path, [...guests, name], name);
    } finally {
      release();
    }
  }
}

const empty = async (book: GuestBook): Promise<GuestBook> => {
  await writeFile(book.path, '[]');
  return book;
};

twins<GuestBook>({
  name: 'half-locked',
  bad: ({ dir }) => empty(new GuestBook(dir)),
  ok: ({ dir }) => empty(new LockedGuestBook(dir)),
  tasks: {
    ann: (book) => book.sign('ann'),
    bob: async (book) => {
      await sleep(80);
      await book.sign('bob');
    },
  },
  check: async ({ path }) => assert.deepEqual((await readJson<string[]>(path)).toSorted(), ['ann', 'bob']),
  expect: { pattern: 'RWW', entityMatch: '^fs:.*guests\\.json( \\(content\\))?$' },
});

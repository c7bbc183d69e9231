/**
 * A download counter in callback style.
 * Bad: reading and writing the file are two callbacks apart; both downloads read the same number. RWW.
 * Ok: a queue of callbacks runs one increment at a time.
 */
import assert from 'node:assert/strict';
import { readFile, rename, writeFile } from 'node:fs';
import { readFile as read, writeFile as write } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { twins } from '../lib/twins.ts';

type Done = (error: Error | null) => void;

class Downloads {
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'downloads.txt');
  }

  increment(user: string, done: Done): void {
    readFile(this.path, 'utf8', (error, text) => {
      if (error) return done(error);
      const draft = `${this.path}.${user}`;
      writeFile(draft, String(Number(text) + 1), (failed) => {
        if (failed) return done(failed);
        rename(draft, this.path, done);
      });
    });
  }
}

class QueuedDownloads extends Downloads {
  readonly #waiting: (() => void)[] = [];
  #busy = false;

  override increment(user: string, done: Done): void {
    this.#enter(() => {
      super.increment(user, (error) => {
        this.#leave();
        done(error);
      });
    });
  }

  #enter(job: () => void): void {
    if (this.#busy) {
      this.#waiting.push(job);
      return;
    }
    this.#busy = true;
    job();
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy = false;
  }
}

const start = async (downloads: Downloads): Promise<Downloads> => {
  await write(downloads.path, '0');
  return downloads;
};
const download = (downloads: Downloads, user: string): Promise<void> =>
  promisify((done: Done) => downloads.increment(user, done))();

twins<Downloads>({
  name: 'callback-counter',
  bad: ({ dir }) => start(new Downloads(dir)),
  ok: ({ dir }) => start(new QueuedDownloads(dir)),
  tasks: {
    ann: (downloads) => download(downloads, 'ann'),
    bob: async (downloads) => {
      await sleep(80);
      await download(downloads, 'bob');
    },
  },
  check: async ({ path }) => assert.equal(await read(path, 'utf8'), '2'),
  expect: { pattern: 'RWW', entityMatch: '^fs:.*downloads\\.txt( \\(content\\))?$' },
});

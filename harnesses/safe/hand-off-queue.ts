/**
 * A producer and a consumer with a queue of one-time promises.
 * Looks racy: an array pushed to and shifted from by different tasks. Safe: both within a turn, and who finds
 * it empty waits to be woken.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class Mailbox {
  readonly letters: string[] = [];
  readonly waiting: ((letter: string) => void)[] = [];
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  put(letter: string): void {
    const reader = this.waiting.shift();
    if (reader) reader(letter);
    else this.letters.push(letter);
  }

  async take(): Promise<string> {
    const letter = this.letters.shift();
    if (letter !== undefined) return letter;
    return await new Promise<string>((resolve) => this.waiting.push(resolve));
  }
}

const names = ['one', 'two', 'three'];

harness({
  name: 'hand-off-queue',
  setup: async ({ dir }) => {
    for (const name of names) await writeFile(join(dir, name), name);
    return new Mailbox(dir);
  },
  tasks: {
    producer: async (mailbox) => {
      for (const name of names) mailbox.put(await readFile(join(mailbox.dir, name), 'utf8'));
    },
    consumer: async (mailbox) => {
      for (const name of names) {
        const letter = await mailbox.take();
        assert.equal(letter, name);
        await writeFile(join(mailbox.dir, `${letter}.read`), letter);
      }
    },
  },
  check: ({ letters }) => assert.equal(letters.length, 0),
  expect: { bug: false },
});

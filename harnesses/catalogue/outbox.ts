/**
 * Letters in an array, sent from the front.
 * Bad: the first letter is looked at, sent, and only then taken away; two senders send the same letter and
 * drop one unsent. RWW on the array. Ok: taken away first.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Outbox {
  readonly letters = ['alpha', 'beta'];
  readonly sent: string[] = [];
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async sendNext(sender: string): Promise<void> {
    const letter = this.letters[0];
    if (letter === undefined) return;
    await this.send(letter, sender);
    this.letters.shift();
  }

  async send(letter: string, sender: string): Promise<void> {
    await writeFile(join(this.dir, `${sender}.txt`), letter);
    this.sent.push(letter);
  }
}

class TakingOutbox extends Outbox {
  override async sendNext(sender: string): Promise<void> {
    const letter = this.letters.shift();
    if (letter === undefined) return;
    await this.send(letter, sender);
  }
}

twins<Outbox>({
  name: 'outbox',
  bad: ({ dir }) => new Outbox(dir),
  ok: ({ dir }) => new TakingOutbox(dir),
  tasks: {
    first: (outbox) => outbox.sendNext('first'),
    second: async (outbox) => {
      await sleep(80);
      await outbox.sendNext('second');
    },
  },
  check: ({ sent }) => assert.deepEqual(sent.toSorted(), ['alpha', 'beta']),
  // RWR: taking the front away reads it again.
  expect: { pattern: ['RWW', 'RWR'], entityMatch: 'Array|letters' },
});

/**
 * A section that is not awaited.
 * Bad: `runExclusive` gets a function that starts the work and does not wait for it, so that the lock is
 * given back at once. RWW. Ok: the work is awaited.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { twins } from '../lib/twins.ts';

class Poll {
  votes = 0;
  work: Promise<unknown>[] = [];
  readonly lock = new Mutex();
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async vote(voter: string): Promise<void> {
    await this.lock.runExclusive(() => {
      this.work.push(this.count(voter));
    });
  }

  async count(voter: string): Promise<void> {
    const votes = this.votes;
    await writeFile(join(this.dir, `${voter}.txt`), 'yes');
    this.votes = votes + 1;
  }

  async closed(): Promise<void> {
    await Promise.all(this.work);
  }
}

class AwaitingPoll extends Poll {
  override async vote(voter: string): Promise<void> {
    await this.lock.runExclusive(() => this.count(voter));
  }
}

twins<Poll>({
  name: 'forgotten-await',
  bad: ({ dir }) => new Poll(dir),
  ok: ({ dir }) => new AwaitingPoll(dir),
  tasks: {
    ann: async (poll) => {
      await poll.vote('ann');
      await poll.closed();
    },
    bob: async (poll) => {
      await sleep(80);
      await poll.vote('bob');
      await poll.closed();
    },
  },
  check: ({ votes }) => assert.equal(votes, 2),
  expect: { pattern: 'RWW', entity: 'Poll#votes' },
});

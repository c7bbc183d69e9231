/**
 * Counters raised by several tasks between awaits.
 * Looks racy: shared fields, no lock. Safe: no await between reading and writing.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { harness } from '../api.ts';

class Statistics {
  requests = 0;
  readonly byPage = new Map<string, number>();
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async serve(page: string): Promise<void> {
    await stat(this.dir);
    this.requests += 1;
    this.byPage.set(page, (this.byPage.get(page) ?? 0) + 1);
    await stat(this.dir);
    this.requests += 1;
  }
}

harness({
  name: 'same-turn-update',
  setup: ({ dir }) => new Statistics(dir),
  tasks: {
    ann: (statistics) => statistics.serve('home'),
    bob: (statistics) => statistics.serve('home'),
    eve: (statistics) => statistics.serve('about'),
  },
  check: ({ requests, byPage }) => {
    assert.equal(requests, 6);
    assert.equal(byPage.get('home'), 2);
  },
  expect: { bug: false },
});

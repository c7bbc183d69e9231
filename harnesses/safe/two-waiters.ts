/**
 * Two tasks wait for one promise and then push into one array.
 * Looks racy: who is first? Safe: who waited first continues first, in the same turn.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class Gate {
  readonly passed: string[] = [];
  opening: Promise<string> | null = null;
  readonly key: string;

  constructor(dir: string) {
    this.key = join(dir, 'key');
  }

  async pass(name: string): Promise<void> {
    this.opening ??= readFile(this.key, 'utf8');
    await this.opening;
    this.passed.push(name);
  }
}

harness({
  name: 'two-waiters',
  setup: async ({ dir }) => {
    const gate = new Gate(dir);
    await writeFile(gate.key, 'open');
    return gate;
  },
  tasks: {
    ann: (gate) => gate.pass('ann'),
    bob: (gate) => gate.pass('bob'),
  },
  check: ({ passed }) => assert.deepEqual(passed, ['ann', 'bob']),
  expect: { bug: false },
});

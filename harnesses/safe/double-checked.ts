/**
 * Looked for, awaited, looked for again, then entered.
 * Looks racy: check, await, act. Safe: the second look and the entry are in one turn.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class Registry {
  readonly members = new Map<string, { readonly file: string }>();
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async member(name: string): Promise<{ readonly file: string }> {
    const known = this.members.get(name);
    if (known) return known;
    const file = await readFile(join(this.dir, `${name}.txt`), 'utf8');
    const entered = this.members.get(name);
    if (entered) return entered;
    const fresh = { file };
    this.members.set(name, fresh);
    return fresh;
  }
}

interface State {
  readonly registry: Registry;
  readonly seen: object[];
}

const ask = async ({ registry, seen }: State): Promise<void> => {
  seen.push(await registry.member('ann'));
};

harness({
  name: 'double-checked',
  setup: async ({ dir }): Promise<State> => {
    await writeFile(join(dir, 'ann.txt'), 'ann');
    return { registry: new Registry(dir), seen: [] };
  },
  tasks: { first: ask, second: ask, third: ask },
  check: ({ seen }) => assert.equal(new Set(seen).size, 1),
  expect: { bug: false },
});

/** Hunting false failures: programs that can never fail in real Node, each in many random orders. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, describe, it } from 'node:test';
import { extent } from '../../extent.ts';
import { closeSockets, ends, failsOverNetwork, failsWithout, necessities, RULES } from './necessity.ts';
import { local, programs } from './programs/index.ts';
import { Directories } from './support.ts';

const ORDERS = extent(4, 20);
const FEW = 8;
const directories = new Directories();
after(() => {
  directories.remove();
  closeSockets();
});

describe('never fails', () => {
  for (const [name, program] of Object.entries(programs))
    it(name, async () => {
      if (!program.slow && !program.endless) await program.run(directories.fresh());
      for (let seed = 1; seed <= (program.orders ?? ORDERS); seed++) {
        const end = await ends(program, directories, seed);
        if (!program.doubtful || end !== 'unknown') assert.equal(end, 'right', `seed ${seed}`);
      }
    });
});

describe('never fails where loopback is strict', () => {
  for (const [name, program] of Object.entries(local))
    it(name, async () => {
      for (let seed = 1; seed <= Math.min(FEW, program.orders ?? FEW); seed++) {
        const end = await ends(program, directories, seed, {}, 'strict');
        if (!program.doubtful || end !== 'unknown') assert.equal(end, 'right', `seed ${seed}`);
      }
    });
});

describe('each rule is needed', () => {
  for (const necessity of necessities)
    it(`${necessity.rule} (${necessity.off}): ${necessity.program}`, async () => {
      assert.ok(await failsWithout(necessity, directories), 'it never fails without the rule');
    });
});

describe('strict loopback is needed', () => {
  for (const [name, program] of Object.entries(local))
    if (program.strict)
      it(name, async () => {
        assert.ok(await failsOverNetwork(program, directories), 'it never fails over a network');
      });
});

it('every rule has such a program', () => {
  const text = fs.readFileSync(new URL('../../../docs/feasibility.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^## (C\d+) /gm)].map(([, rule]) => rule);
  assert.ok(documented.length >= 15);
  assert.deepEqual([...new Set(Object.values(RULES))].sort(), documented.sort());
  const needed = new Set(necessities.map(({ off }) => off));
  for (const off of Object.keys(RULES))
    assert.ok(needed.has(off as keyof typeof RULES), `no program needs ${off}`);
});

it('there are at least 60 programs', () => {
  assert.ok(Object.keys(programs).length >= 60, String(Object.keys(programs).length));
});

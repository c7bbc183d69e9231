import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING_HIDDEN } from '../../report/hidden.ts';
import { REPORTERS, tell } from '../../report/reporter.ts';
import type { Findings, Reporter, ReportOutput } from '../../report/reporter-api.ts';

const findings = {
  report: { bugs: [{ id: 'b1' }, { id: 'b2' }] },
  hidden: NOTHING_HIDDEN,
} as unknown as Findings;
const output = (quiet: boolean): ReportOutput => ({ quiet, json: null }) as unknown as ReportOutput;

test('a reporter from elsewhere tells what the others do', async () => {
  const told: string[] = [];
  const toy: Reporter = {
    name: 'toy',
    isWanted: ({ quiet }) => !quiet,
    done: async ({ report }) => void told.push(...report.bugs.map(({ id }) => id)),
  };
  assert.equal(await tell(findings, output(false), [toy]), null);
  assert.deepEqual(told, ['b1', 'b2']);
  assert.equal(await tell(findings, output(true), [toy]), null);
  assert.equal(told.length, 2, 'nobody asked for it');
});

test('one that fails does not keep the others from telling', async () => {
  const told: string[] = [];
  const toy = (name: string, error?: Error): Reporter => ({
    name,
    isWanted: () => true,
    done: async () => {
      if (error) throw error;
      told.push(name);
    },
  });
  const [full, late] = [new Error('disk full'), new Error('too late')];
  assert.equal(await tell(findings, output(false), [toy('a', full), toy('b'), toy('c', late)]), full);
  assert.deepEqual(told, ['b']);
});

test('reporters are told apart by their names', () => {
  assert.equal(new Set(REPORTERS.map(({ name }) => name)).size, REPORTERS.length);
});

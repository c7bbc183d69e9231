/** Which tests a change concerns, and what is told of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Changes, Concern, changeLines, differing } from '../../cli/stages/changes.ts';
import type { ReportTest } from '../../data/report.ts';
import { bankCut, bugOf, testOf } from '../report/samples.ts';

const claimed = new Set(['a.js', 'b.js', 'a.test.js', 'b.test.js']);
const loads = (...names: string[]) => new Set(names);

test('a change concerns the tests that load what changed', () => {
  const concern = new Concern(['a.js'], claimed);
  assert.equal(concern.touches(loads('a.test.js', 'a.js')), true);
  assert.equal(concern.touches(loads('b.test.js', 'b.js')), false);
});

test('a test of which it is not known what it loads is concerned by every change, and by none where there is none', () => {
  assert.equal(new Concern(['a.js'], claimed).touches(null), true);
  assert.equal(new Concern([], claimed).touches(null), false);
});

test('a file that no test is known to load may concern every test', () => {
  for (const name of ['fixtures/data.json', '.env.test', 'tsconfig.json', 'new.js'])
    assert.equal(new Concern([name], claimed).touches(loads('b.test.js')), true, name);
});

test('prose and recipes of CI concern nobody', () => {
  const concern = new Concern(['README.md', '.github/workflows/ci.yml', '../.github/x.yml'], claimed);
  assert.equal(concern.touches(null), false);
});

test('files differ when they changed, came or went', () => {
  const before = { a: '1', b: '1', c: '1' };
  assert.deepEqual(differing(before, { a: '1', b: '2', d: '1' }), ['b', 'c', 'd']);
  assert.deepEqual(differing(before, { ...before }), []);
  assert.equal(differing(null, before), null);
});

test('a known bug is still there, fixed, not decided, or gone with its test', () => {
  const bug = bugOf(bankCut('RWW'));
  const bugs = ['there', 'fixed', 'cut', 'gone'].map((id) => ({ ...bug, id, test: `t-${id}` }));
  const of = (id: string, analysis: ReportTest['analysis']): ReportTest => ({
    ...testOf(`t-${id}`),
    analysis,
  });
  const changes: Changes = { kept: 2, bugs, outside: new Set(), why: 'Node has changed' };
  const report = {
    bugs: [bugs[0]!],
    tests: [of('there', 'complete'), of('fixed', 'complete'), of('cut', 'partly')],
  };
  assert.deepEqual(changeLines(changes, report), [
    'everything is analysed anew: Node has changed',
    'kept from earlier runs, as nothing they depend on has changed: 2 of 3',
    'known bug there (test/t-there.test.ts › case): still there',
    'known bug fixed (test/t-fixed.test.ts › case): fixed',
    'known bug cut (test/t-cut.test.ts › case): not decided: its test was not analysed to the end',
    'known bug gone: gone with its test',
  ]);
});

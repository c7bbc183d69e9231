import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBaseline, writeBaseline } from '../../cli/baseline.ts';
import { hideBugs, isIgnored } from '../../cli/ignore.ts';
import type { Report } from '../../data/report.ts';
import { bankCut, bugOf, testOf } from '../report/samples.ts';
import { emptyFolder } from './io.ts';

const bug = bugOf(bankCut('RWW'));
const report: Report = {
  version: 1,
  tests: [testOf('t1')],
  bugs: [
    { ...bug, id: 'b2', error: 'first\nsecond' },
    { ...bug, id: 'b1' },
    { ...bug, id: 'b3', conditional: 'needs 4 s' },
  ],
  timing: { monitorMs: 0, predictMs: 0, rescheduleMs: 0 },
};

test('a written baseline is read back; sorted, one line of error, no conditional bugs', async () => {
  const cwd = emptyFolder();
  const written = await writeBaseline(report, 'known.json', cwd);
  assert.deepEqual([...written.known], ['b1', 'b2']);
  assert.deepEqual(await readBaseline('known.json', cwd), written);
  const { bugs } = JSON.parse(readFileSync(join(cwd, 'known.json'), 'utf8'));
  assert.deepEqual(bugs[1], {
    id: 'b2',
    test: 'test/t1.test.ts › case',
    entity: 'Account#balance',
    error: 'first',
  });
});

test('a baseline that cannot be read is one clear line', async () => {
  const cwd = emptyFolder();
  const reject = (text: string, message: RegExp) => {
    writeFileSync(join(cwd, 'k.json'), text);
    return assert.rejects(readBaseline('k.json', cwd), { name: 'UsageError', message });
  };
  await assert.rejects(readBaseline('gone.json', cwd), /gone\.json: no such baseline file/);
  await reject('{', /not JSON/);
  await reject('{"version":1,"bugs":[{}]}', /bugs\.0\.id/);
  await reject('{"version":2,"bugs":[]}', /version/);
});

const source = [
  'a(); // unweave: ignore',
  'b();',
  '  /* unweave: ignore: one writer only */',
  'c();',
  'd(); // unweave: ignored-by-nobody',
  '// about unweave: ignore',
  'e();',
].join('\n');

test('the comment counts at the line of the access, or alone on the line above', () => {
  const lines = [1, 2, 3, 4, 5, 6, 7].filter((line) => isIgnored(() => source, 'a.ts', line));
  assert.deepEqual(lines, [1, 3, 4]);
  assert.equal(
    isIgnored(() => null, 'gone.ts', 1),
    false,
  );
});

test('any of the three accesses hides a bug; the configuration does by id or entity', () => {
  const nothing = () => null;
  const at = (line: number) => (file: string) =>
    file === 'src/bank.ts' ? `${'\n'.repeat(line - 1)}x // unweave: ignore` : null;
  const reasons = (hidden: ReadonlyMap<string, string>) => [...hidden].map((entry) => entry.join(' '));
  assert.deepEqual(reasons(hideBugs(report, new Set(), [], nothing)), []);
  assert.deepEqual(reasons(hideBugs(report, new Set(['b1']), [], nothing)), ['b1 known']);
  assert.deepEqual(reasons(hideBugs(report, new Set(), ['b2'], nothing)), ['b2 ignored']);
  const everyone = ['b2 ignored', 'b1 ignored', 'b3 ignored'];
  assert.deepEqual(reasons(hideBugs(report, new Set(['b1']), ['Account#balance'], nothing)), everyone);
  assert.deepEqual(reasons(hideBugs(report, new Set(), [], at(4))), everyone);
  assert.deepEqual(reasons(hideBugs(report, new Set(), [], at(5))), []);
});

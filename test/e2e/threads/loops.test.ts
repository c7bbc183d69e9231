/** Asynchronous bodies of threads through the built command: between two threads, and between two tasks of one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../../data/report.ts';
import { temporary } from '../../temporary.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const dir = temporary('unweave-loops');

const unweave = (...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'dist/cli/bin.js'), ...args, '--store', join(dir, 'trace.db')], {
    cwd: ROOT,
    encoding: 'utf8',
  });

it('races across the turns of threads are predicted, confirmed and seen again; repaired twins are silent', () => {
  const json = join(dir, 'report.json');
  const ran = unweave('run', '--confirm', '1', '--json', json, 'harnesses/threads/till.ts');
  assert.equal(ran.status, 1, ran.stderr);
  // Nobody would find the bug in the store of another place.
  assert.match(ran.stdout, /unweave replay b\w+ --store \S+\/trace\.db/);
  const { bugs, tests } = JSON.parse(readFileSync(json, 'utf8')) as Report;
  assert.deepEqual(
    tests.map(({ baseline, coverage }) => [baseline, coverage]),
    tests.map(() => ['passed', 'analysed']),
  );
  assert.deepEqual(
    bugs.map(({ entity, pattern, schedulesUntilFound, test }) => [
      ...[test.replace(/^.*:/, ''), pattern, entity],
      schedulesUntilFound <= 3,
    ]),
    [
      ['two tills/bad', 'RWW', 'sum', true],
      ['one till/bad', 'RWW', 'sum', true],
    ],
  );
  assert.match(ran.stdout, /`alice` and `alice \(task 2\)` both read `sum` before either wrote it/);
  assert.match(ran.stdout, /① and ③ belong to one call of `Till\.pay`/);
  // The second customer comes 10 ms later.
  assert.match(ran.stdout, /takes at\s+least\s+10\s+ms\s+longer/);
  for (const { id } of bugs) {
    const again = unweave('replay', id, '--times', '1');
    assert.equal(again.status, 1, again.stderr);
    assert.match(again.stdout, /1 of 1 runs? failed in this order/);
  }
});

/** `unweave report`: what a store holds, told again without running anything. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { everyState, everyStateViews } from '../report/samples.ts';
import { emptyFolder, run } from './io.ts';

test('it goes to every reporter that is asked for, with the exit code of the run', async () => {
  const cwd = emptyFolder();
  const reportStored = async () => ({ report: everyState, views: everyStateViews, exitCode: 1 });
  const { code, out, calls } = await run(
    ['report', '--html', '--reporter', 'gitlab=q.json'],
    { reportStored },
    { cwd },
  );
  assert.equal(code, 1);
  assert.match(out, /two deposits/);
  assert.deepEqual(
    calls.map(({ name }) => name),
    ['reportStored'],
  );
  assert.match(readFileSync(join(cwd, 'unweave-report.html'), 'utf8'), /lost update/);
  assert.ok(existsSync(join(cwd, 'q.json')));
});

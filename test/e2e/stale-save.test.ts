/** A flag that both tasks write does not stand for the file that the failure is about. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../data/report.ts';
import { temporary } from '../temporary.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('an entity whose own orders passed does not lead', () => {
  const dir = temporary('unweave-stale');
  const options = [
    '--store',
    join(dir, 'trace.db'),
    '--confirm',
    '1',
    '--max-schedules',
    '10',
    '--json',
    '-',
  ];
  const argv = [join(ROOT, 'dist/cli/bin.js'), 'run', ...options, 'test/projects/stale-save'];
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  const { bugs } = JSON.parse(stdout) as Report;
  const told = bugs.map(({ test, entity, pattern }) => [test.split(':').at(-1), entity, pattern]);
  assert.deepEqual(told, [['stale-save/bad', 'fs:*/shelf.json (content)', null]]);
});

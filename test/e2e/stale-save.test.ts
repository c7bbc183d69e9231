/** A flag that both tasks write does not stand for the file that the failure is about. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../data/report.ts';
import { temporary } from '../temporary.ts';
import { project, run } from './batch/command.ts';

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

const TWO_SAVES = `import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
const all = {};
async function put(key) {
  all[key] = 1;
  await writeFile('saved.json', JSON.stringify(all));
}
test('saves twice', async () => {
  await Promise.all([put('one'), put('two')]);
  assert.match(await readFile('saved.json', 'utf8'), /one.*two/);
});
`;

test('of two that save a file the one that comes last is tried, whichever it is', async (t) => {
  const cwd = project(t, { 'a.test.js': TWO_SAVES });
  const options = ['--max-schedules', '10', '--confirm', '1', '--json', 'out.json'];
  const { code, out } = await run(cwd, ['run', ...options, '--', 'node', '--test']);
  assert.equal(code, 1, out);
  assert.match(out, /`put #1` writes the content of `saved\.json` over what `put #2` has written/);
});

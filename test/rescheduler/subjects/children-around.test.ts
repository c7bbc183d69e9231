/** Processes of the user's sources that were there before a test: what they do is not judged, where the test has to do with some. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { besideOf } from '../../../predictor/beside.ts';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { options, project } from './projects.ts';

const ECHO = `process.stdin.on('data', (data) => process.stdout.write(data));`;

const TESTS = `import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
let child;
before(() => {
  child = spawn(process.execPath, ['echo.mjs'], { stdio: 'pipe' });
});
after(() => child.kill());
async function ask() {
  child.stdin.write('a');
  await once(child.stdout, 'data');
}
test('asks it', ask);
test('asks nobody', async () => {});
test('asks it, and one of its own', async () => {
  const own = spawn(process.execPath, ['own.mjs'], { stdio: 'ignore' });
  await Promise.all([once(own, 'exit'), ask()]);
});
`;

test('sources that run in processes of hooks are told where the test has to do with some', async () => {
  const cwd = project({ 'a.test.mjs': TESTS, 'echo.mjs': ECHO, 'own.mjs': '' });
  const subjects = await recordCommand(['node', '--test'], { cwd });
  const told: [string, string[]][] = [];
  for (const subject of subjects) {
    const { result, trace } = await subject.record(options());
    assert.equal(result.outcome, 'pass', result.failure?.message);
    const within = besideOf(trace).filter((each) => each.within);
    told.push([subject.name.replace(/^.* › /, ''), within.flatMap(({ processes }) => processes)]);
  }
  assert.deepEqual(told, [
    ['asks it', ['echo.mjs']],
    ['asks nobody', []],
    ['asks it, and one of its own', ['own.mjs', 'echo.mjs']],
  ]);
});

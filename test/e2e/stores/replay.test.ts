/** A replay opens the one test that it needs; the others of the command are not run again. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GREEN, WRONG, WRONG_HARNESS } from '../bad-input/projects.ts';
import { assertNoOrphans, assertOneLine, project, readReport, run } from '../batch/command.ts';

// The runner of the command counts its processes anew: that is no environment of their own.
process.env['NODE_TEST_WORKER_ID'] = '7';

const NOTING = `import { appendFileSync } from 'node:fs';\nappendFileSync('ran', 'x');\n`;
const RUN = ['run', '--max-schedules', '3', '--confirm', '1', '--json', 'out.json'];

test('the test cases of other files stay where they are', async (t) => {
  const cwd = project(t, { 'a.test.js': WRONG, 'b.test.js': NOTING + GREEN });
  const ended = await run(cwd, [...RUN, '--', 'node', '--test']);
  assert.equal(ended.code, 1, ended.err);
  const before = readFileSync(join(cwd, 'ran'), 'utf8');
  const { id } = readReport(cwd).bugs[0]!;
  writeFileSync(join(cwd, 'a.test.js'), `// moved by a line\n${WRONG}`);
  const replay = await run(cwd, ['replay', id, '--times', '2']);
  assert.equal(replay.code, 1, replay.out + replay.err);
  assert.match(replay.out, /2 of 2 runs failed/);
  assert.match(replay.out, /a\.test\.js changed since the recording: the order still applies/);
  assert.equal(readFileSync(join(cwd, 'ran'), 'utf8'), before);
  const given = await run(cwd, ['replay', id, '--', 'node', '--test']);
  assert.equal(given.code, 1, given.out + given.err);
  assert.notEqual(readFileSync(join(cwd, 'ran'), 'utf8'), before, 'a command that is given is run');
  // A repair that went wrong fails in every order: that is not the bug.
  writeFileSync(join(cwd, 'a.test.js'), WRONG.replace('let balance = 0', 'const balance = 0'));
  const broken = await run(cwd, ['replay', id]);
  assert.equal(broken.code, 3, broken.out + broken.err);
  assert.match(broken.out, /cannot tell[\s\S]*it fails in the natural order as well: TypeError: Assignment/);
  rmSync(join(cwd, 'a.test.js'));
  assertOneLine(await run(cwd, ['replay', id]), 2, /its test a\.test\.js › deposits is not there any more/);
  await assertNoOrphans(cwd);
});

test('nor are other harnesses', async (t) => {
  const cwd = project(t, { 'h/a.js': WRONG_HARNESS, 'h/b.js': NOTING + WRONG_HARNESS });
  assert.equal((await run(cwd, [...RUN, 'h'])).code, 1);
  const bug = readReport(cwd).bugs.find(({ test }) => test.includes('a.js'));
  const before = readFileSync(join(cwd, 'ran'), 'utf8');
  assert.equal((await run(cwd, ['replay', bug!.id])).code, 1);
  assert.equal(readFileSync(join(cwd, 'ran'), 'utf8'), before);
});

test('where the process had an environment of its own, the command is run again', async (t) => {
  const cwd = project(t, {
    'a.test.js': WRONG.replace('let balance = 0', 'let balance = Number(process.env.START)'),
  });
  assert.equal((await run(cwd, [...RUN, '--', 'env', 'START=0', 'node', '--test'])).code, 1);
  assert.equal((await run(cwd, ['replay', readReport(cwd).bugs[0]!.id])).code, 1);
});

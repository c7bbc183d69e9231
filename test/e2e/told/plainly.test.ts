import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

/** The frames of the gate are seen in the stack of an error, which nothing can help. */
const OURS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
test('ours', async () => { await 1; assert.doesNotMatch(new Error().stack, /rescheduler/); });
test('red', async () => { await 1; assert.equal(1, 2); });
`;

test('a test that fails here and passes on plain Node is told apart from a red one', async (t) => {
  const cwd = project(t, { 'a.test.js': OURS });
  const ended = await run(cwd, ['run', '--json', 'out.json', '--', 'node', '--test']);
  assert.equal(ended.code, 3, ended.out);
  assert.match(ended.out, /ours — NOT ANALYSABLE\s+passes on plain Node; here: AssertionError/);
  assert.match(ended.out, /red — RED/);
  assert.match(ended.out, /1 not analysable/);
  const known = await run(cwd, ['run', '--write-baseline', 'known.json', '--', 'node', '--test']);
  assert.equal(known.code, 3, 'the other one is red on plain Node, too');
  assert.equal(readReport(cwd).tests.length, 2);
});

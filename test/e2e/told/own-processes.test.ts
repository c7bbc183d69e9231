/** Why forced runs are slow: a test that behaves otherwise in a process that ran it before has one for each of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEW_ORDERS, project, readReport, run } from '../batch/command.ts';

const REMEMBERS = `import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
test('remembers', async () => {
  globalThis.times = (globalThis.times ?? 0) + 1;
  for (let i = 0; i < globalThis.times; i++) await sleep(1);
  await Promise.all([sleep(2), sleep(5), sleep(4)]);
});
test('does not', async () => {
  await Promise.all([sleep(2), sleep(5), sleep(4)]);
});
`;

/** Node's test runner hands our options on to the process of a file as arguments, and `fork` does so with its own. */
const FORKS = `import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
test('forks', async () => {
  const [{ args, env }] = await once(fork('child.js'), 'message');
  assert.deepEqual([...args, ...env].filter((word) => /preload|^UNWEAVE_(?!TESTS$)/.test(word)), []);
});
`;
const CHILD = `process.send({ args: process.execArgv, env: Object.keys(process.env) });`;

test('what a test starts finds nothing of ours', async (t) => {
  const cwd = project(t, { 'a.test.js': FORKS, 'child.js': CHILD });
  const { code, out } = await run(cwd, ['run', ...FEW_ORDERS, '--json', 'out.json', '--', 'node', '--test']);
  assert.equal(code, 3, 'all that it does is in that child');
  assert.equal(readReport(cwd).tests[0]?.baseline, 'passed', out);
});

test('a test whose runs share no process is counted, and with --verbose the report says why', async (t) => {
  const cwd = project(t, { 'a.test.js': REMEMBERS });
  const { code, out } = await run(cwd, [
    ...['run', ...FEW_ORDERS, '--json', 'out.json', '--verbose'],
    ...['--', 'node', '--test'],
  ]);
  assert.equal(code, 0, out);
  assert.deepEqual(
    readReport(cwd).tests.map(({ name, ownProcesses }) => [name, ownProcesses]),
    [
      ['remembers', 'it does not take the recorded steps'],
      ['does not', null],
    ],
  );
  assert.match(out, /each forced run had a process of its own: it does not take the recorded steps/);
  assert.match(
    out,
    /^each forced run of 1 test had a process of its own, which is slow: --verbose says why$/m,
  );
});

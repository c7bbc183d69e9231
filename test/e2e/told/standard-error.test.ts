/** A script that ends with an exit code: the report says what it printed last to standard error. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEW_ORDERS, project, run } from '../batch/command.ts';

const SCRIPT = `import { readFile } from 'node:fs/promises';
let balance = 0;
const deposit = async (n) => {
  const before = balance;
  await readFile('package.json');
  balance = before + n;
};
await Promise.all([deposit(1), new Promise((done) => setTimeout(done, 20)).then(() => deposit(2))]);
if (balance !== 3) {
  console.error('expected 3');
  console.error('Error: the balance is ' + balance);
  console.error('    at nowhere');
  process.exitCode = 1;
}
`;

test('of a failing order', async (t) => {
  const cwd = project(t, { 'a.js': SCRIPT });
  const { code, out } = await run(cwd, ['run', ...FEW_ORDERS, '--', 'node', 'a.js']);
  assert.equal(code, 1);
  assert.match(out, /ExitCode: exit code 1: Error: the balance is \d/);
  assert.match(out, /standard error ends with\s+expected 3\s+Error: the balance is/);
});

test('of a script that is red', async (t) => {
  const cwd = project(t, { 'a.js': `console.error('TypeError: no such table'); process.exitCode = 1;\n` });
  const { out } = await run(cwd, ['run', ...FEW_ORDERS, '--', 'node', 'a.js']);
  assert.match(out, /RED\n.*exit code\s+1: TypeError: no such\s+table/);
});

const HOOK = `import { readFile } from 'node:fs/promises';
import { afterEach, test } from 'node:test';
let count = 0;
afterEach(() => { if (count !== 2) throw new Error('the store is broken: ' + count); });
const add = async (looks) => {
  for (let i = 0; i < looks; i++) await readFile('a.test.mjs');
  const seen = count;
  await readFile('a.test.mjs');
  count = seen + 1;
};
test('counts', () => Promise.all([add(0), add(3)]));
`;

test('of a hook that fails behind a test: what the runner printed of it', async (t) => {
  const cwd = project(t, { 'a.test.mjs': HOOK });
  const { code, out } = await run(cwd, ['run', ...FEW_ORDERS, '--', 'node', '--test']);
  assert.equal(code, 1, out);
  assert.match(out, /HookFailed: a hook of the test failed.*Error: the store is broken: 1/);
});

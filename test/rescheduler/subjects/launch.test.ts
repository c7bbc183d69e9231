/** What a process has printed is known when its end is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchNatively } from '../../../rescheduler/subjects/launch.ts';
import { OutputTail } from '../../../rescheduler/subjects/output.ts';

async function launched(text: string, execPath = process.execPath) {
  const output = new OutputTail();
  const recipe = { execPath, execArgv: ['-e', text], argv: [], cwd: process.cwd(), runner: false, env: {} };
  const ended = await launchNatively(recipe, output, {});
  return { ...ended, text: output.toString() };
}

test('all that a process has written is read before its end is told', async () => {
  for (let times = 0; times < 10; times++) {
    const { code, text } = await launched("process.stderr.write('x'.repeat(60000)); process.exitCode = 3");
    assert.deepEqual([code, text.length], [3, 60_000]);
  }
});

test('what another process keeps open is not waited for', async () => {
  const away = "{ detached: true, stdio: 'inherit' }";
  const { code, text } = await launched(
    `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 5000)'], ${away});
    child.unref();
    console.log(child.pid);`,
  );
  assert.equal(code, 0);
  // It is there still.
  process.kill(Number(text), 'SIGKILL');
});

test('what cannot be started has an error', async () => {
  const { error, text } = await launched('', '/nowhere');
  assert.equal(error?.code, 'ENOENT');
  assert.equal(text, '');
});

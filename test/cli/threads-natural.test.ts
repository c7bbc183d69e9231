import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { StageContext } from '../../cli/stages/context.ts';
import { naturalFinding } from '../../cli/stages/threads/natural.ts';
import { defaultConfig } from '../../monitor/loader/config.ts';
import { ProgramSubject } from '../../rescheduler/loops/subject.ts';
import { temporary } from '../temporary.ts';

const PROJECT = fileURLToPath(new URL('../projects/own-loops', import.meta.url));
const dir = temporary('unweave-natural');

const config = { ...defaultConfig(PROJECT), cacheDir: join(dir, 'cache') };
const threadExecution = { watchdogMs: 60_000 };
const context = { threadExecution, over: false, options: { seed: 1, confirm: 2 } } as StageContext;

async function finding(...args: string[]) {
  const how = { execPath: process.execPath, execArgv: [], cwd: PROJECT, runner: false, env: {} };
  const recipe = { ...how, argv: [join(PROJECT, 'heard.js'), ...args] };
  const subject = new ProgramSubject(recipe, null, null, config);
  try {
    const observed = await subject.execute({ kind: 'observed' }, threadExecution, true);
    return { outcome: observed.ran.outcome, found: await naturalFinding(context, subject, observed) };
  } finally {
    await subject.close();
  }
}

test('a natural order of threads that fails is a finding where another order passes, each time', async () => {
  const { found, outcome } = await finding();
  assert.equal(outcome, 'fail');
  const { confirmation, result } = found!.finding;
  assert.deepEqual(
    [confirmation.reproduced, confirmation.control, confirmation.times, result.failure?.name],
    [2, 2, 2, 'AssertionError'],
  );
  assert.equal(found!.passing.ran.outcome, 'pass');
});

test('one that fails in any order is none', async () => {
  assert.deepEqual(await finding('never'), { outcome: 'fail', found: null });
});

test('one that passes is none', async () => {
  assert.deepEqual(await finding('patient'), { outcome: 'pass', found: null });
});

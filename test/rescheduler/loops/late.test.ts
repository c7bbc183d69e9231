/** What an order of threads with event loops needs: how late something is in it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { forcibleCutPoints } from '../../../predictor/threads/forcible.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { forced } from '../../../predictor/threads/schedules.ts';
import { ProgramSubject } from '../../../rescheduler/loops/subject.ts';
import { needsOf } from '../../../rescheduler/tokens/needs.ts';
import { temporary } from '../../temporary.ts';

const PROJECT = fileURLToPath(new URL('../../projects/own-loops', import.meta.url));
const dir = temporary('unweave-late');
const config = { ...defaultConfig(PROJECT), cacheDir: join(dir, 'cache') };
const options = { watchdogMs: 60_000 };

test('an answer that comes behind a time-out of 400 ms is so late; naturally nothing is', async () => {
  const argv = [join(PROJECT, 'late-visit.js')];
  const recipe = { execPath: process.execPath, execArgv: [], argv, cwd: PROJECT, runner: false, env: {} };
  const subject = new ProgramSubject(recipe, null, null, config);
  const { ran, trace } = await subject.execute({ kind: 'observed' }, options, true);
  assert.deepEqual([ran.outcome, ran.late], ['pass', []]);
  const lost = forcibleCutPoints(trace!, newTally()).find(({ pattern }) => pattern === 'RWW')!;
  const failing = await subject.executeFresh({ kind: 'directed', schedule: forced(trace!, lost) }, options);
  assert.equal(failing.outcome, 'fail');
  const { late, requiredPauseMs, requiredStallMs } = needsOf(failing.late);
  assert.deepEqual([requiredStallMs >= 400, requiredPauseMs], [true, 0]);
  assert.match(late[0]!.api, /^fs\./);
});

test('the latest of each kind counts, and only answers have a name', () => {
  const [a, b] = [
    { api: 'fs.open', what: 'a', ms: 20 },
    { api: 'fs.read', what: 'b', ms: 400 },
  ];
  const needs = needsOf([a, { api: '', what: '', ms: 7 }, b]);
  assert.deepEqual(needs, { late: [b, a], requiredStallMs: 400, requiredPauseMs: 7 });
  assert.deepEqual(needsOf([]), { late: [], requiredStallMs: 0, requiredPauseMs: 0 });
});

/** A file operation of a thread: its effect is one step, and it comes behind the turn that asked for it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { effectsOf } from '../../../data/threads/effects.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { forcibleCutPoints } from '../../../predictor/threads/forcible.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { forced } from '../../../predictor/threads/schedules.ts';
import { ProgramSubject } from '../../../rescheduler/loops/subject.ts';
import { temporary } from '../../temporary.ts';

const PROJECT = fileURLToPath(new URL('../../projects/own-loops', import.meta.url));
const dir = temporary('unweave-effects');
const config = { ...defaultConfig(PROJECT), cacheDir: join(dir, 'cache') };
const options = { watchdogMs: 60_000 };
const argv = [join(PROJECT, 'after-both.js')];
const recipe = { execPath: process.execPath, execArgv: [], argv, cwd: PROJECT, runner: false, env: {} };
const program = new ProgramSubject(recipe, null, null, config);

/** Effects between whose step and the last of what they touch another thread comes. */
function torn(trace: ThreadTrace): number {
  const { thread } = trace.events;
  const effects = effectsOf(trace);
  let found = 0;
  for (const [event, effect] of effects.entries())
    if (effect >= 0 && thread.subarray(effect, event).some((each) => each !== thread[event])) found += 1;
  return found;
}

test('nobody comes between an effect and what it touches', async () => {
  for (const seed of [0, 6]) {
    const { ran, trace } = await program.execute({ kind: 'random', seed }, options);
    assert.equal(ran.outcome, 'pass');
    assert.equal(torn(trace!), 0, `seed ${seed}`);
  }
});

test('what is predicted is taken: it knows in which turns requests were made', async () => {
  const { trace } = await program.execute({ kind: 'observed' }, options, true);
  const cutPoints = forcibleCutPoints(trace!, newTally());
  assert.ok(cutPoints.length > 0);
  for (const cutPoint of cutPoints) {
    const { ran } = await program.execute({ kind: 'directed', schedule: forced(trace!, cutPoint) }, options);
    assert.deepEqual([ran.outcome, ran.followed], ['pass', 'followed'], cutPoint.entity);
  }
  await program.close();
});

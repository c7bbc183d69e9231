/** What a process tells of the one case that it was started for. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_LIMITS } from '../../../data/run.ts';
import { CaseRunner } from '../../../rescheduler/runners/case-runner.ts';
import { loaderConfigOf } from '../../../rescheduler/subjects/config.ts';
import { type ForceResult, readWhole } from '../../../rescheduler/subjects/job.ts';
import { temporary } from '../../temporary.ts';

test('where two cases run in the place of one, nothing is said of either', async () => {
  const folder = temporary('case-runner');
  const out = join(folder, 'result');
  const target = { file: join(folder, 'x.test.js'), name: 'x', ordinal: 0 };
  const spec = { kind: 'observed' } as const;
  const execution = { spec, limits: DEFAULT_LIMITS, wantChoices: false, record: false };
  const config = loaderConfigOf({ cwd: folder });
  const runner = new CaseRunner(
    { mode: 'force', out, target, execution, config, preload: ['--require', ''], permissions: [] },
    'vitest',
  );
  const running = { isOver: () => false, isTodo: () => false, isSkipped: () => false };
  const told = async () => {
    await runner.run(target, async () => {}, running);
    const { outcome, failure } = readWhole<ForceResult>(out).result;
    return [outcome, failure?.name];
  };
  assert.deepEqual(await told(), ['pass', undefined]);
  assert.deepEqual(await told(), ['unknown', 'RanTwice']);
  rmSync(folder, { recursive: true });
});

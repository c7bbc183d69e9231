/** Which entity is named where others are touched by the same turns: the table stands beside the programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS, type StrategySpec } from '../../../data/run.ts';
import { registrations } from '../../../harnesses/api.ts';
import { predict } from '../../../predictor/predict.ts';
import { explain, type Means } from '../../../rescheduler/explain/explain.ts';
import { type Finding, investigate } from '../../../rescheduler/investigate/investigate.ts';
import { LoopOrders } from '../../../rescheduler/investigate/loop-orders.ts';
import { discoverHarnesses } from '../../../rescheduler/subjects/discover.ts';
import type { Subject } from '../../../rescheduler/subjects/protocol.ts';
import { isRun } from '../../extent.ts';
import './fixtures/bystanders.ts';

const CWD = fileURLToPath(new URL('../../../', import.meta.url));
const FILE = 'test/rescheduler/explain/fixtures/bystanders.ts';
const LIMITS = { limits: DEFAULT_LIMITS };

/** In these a bystander was named by its rank alone. */
const TELLING = new Set(['counter of writes', 'metrics', 'versions', 'quota', 'late answer']);
const EACH = 8;

const wanted = new Map(registrations().map(({ name, expect }) => [name, expect]));

/** The entity that is named of the first finding; null: nothing is found. */
async function namedOf(subject: Subject): Promise<string | null> {
  const { trace: natural } = await subject.record(LIMITS);
  const { cutPoints: predicted, schedules } = predict(natural, { loop: DEFAULT_LIMITS });
  const run = (spec: StrategySpec) => subject.execute(spec, LIMITS);
  const enough = new AbortController();
  let finding: Finding | null = null;
  await investigate(
    { execute: run, executeFresh: run },
    new LoopOrders(
      natural.steps,
      { cutPoints: predicted, schedules },
      {
        ...{ strategy: 'directed', maxSchedules: 20, seed: 1 },
      },
    ),
    {
      ...{ maxSchedules: 20, maxTimeMs: 60_000, confirm: 1, signal: enough.signal },
      found: async (found) => {
        finding ??= found;
        enough.abort();
        return 'race';
      },
    },
  );
  if (finding === null) return null;
  const { cutPoint, schedule, steps } = finding as Finding;
  const means: Means = {
    ...{ run, runFresh: run, runStrictly: null, isCut: () => false, isOver: () => false },
    recordFailing: async (minimal) =>
      (await subject.record(LIMITS, { kind: 'directed', schedule: minimal, cutPoint })).trace,
    ...{ classify: async () => null, record: async () => null, witness: async () => null },
    inTime: (work) => work(),
  };
  const known = {
    ...{ file: FILE, natural, predicted },
    schedules: schedules.map((one) => ({ schedule: one, verdict: null })),
  };
  const { points, flip } = await explain(known, finding, { ...schedule, steps }, means);
  return points[0]?.entity ?? flip?.entity ?? '(none)';
}

test('the entity is named that the failing statement depends on, and no bystander', async () => {
  const wrong: string[] = [];
  for (const [at, subject] of (await discoverHarnesses([CWD + FILE], { cwd: CWD })).entries())
    try {
      if (!TELLING.has(subject.name) && !isRun(at, EACH)) continue;
      const expect = wanted.get(subject.name);
      const named = await namedOf(subject);
      const { entity, entityMatch = '' } = expect ?? {};
      const isRight = entity === undefined ? new RegExp(entityMatch).test(named ?? '') : named === entity;
      if (!isRight) wrong.push(`${subject.name}: ${named}, not ${entity ?? entityMatch}`);
    } finally {
      await subject.close();
    }
  assert.equal(wanted.size, 23);
  assert.deepEqual(wrong, []);
});

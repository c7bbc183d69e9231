/** How soon prediction, and how often chance, finds the one race of the needle. */
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS } from '../../data/run.ts';
import { predict } from '../../predictor/predict.ts';
import { investigate } from '../../rescheduler/investigate/investigate.ts';
import { LoopOrders } from '../../rescheduler/investigate/loop-orders.ts';
import { discoverHarnesses } from '../../rescheduler/subjects/discover.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIMITS = { limits: DEFAULT_LIMITS };

export const GOAL = { tasks: 50, events: 5000, cutPoints: 100, schedules: 20, random: 5 } as const;

export async function needle(): Promise<Subject> {
  const [subject] = await discoverHarnesses([`${ROOT}harnesses/needle.ts`], { cwd: ROOT });
  if (!subject) throw new Error('there is no needle');
  return subject;
}

export interface Hunt {
  /** Tasks beside the two that race, in which file or timer requests were made. */
  readonly tasks: number;
  readonly events: number;
  readonly cutPoints: number;
  /** Time that prediction took, ms. */
  readonly predictionMs: number;
  /** Schedules forced until the failure was confirmed in fresh processes; infinite where it never was. */
  readonly schedules: number;
  readonly entity: string | null;
}

/** Records, predicts, and forces at most `GOAL.schedules` predicted orders. */
export async function hunt(subject: Subject, confirm = 3): Promise<Hunt> {
  const { trace } = await subject.record(LIMITS);
  const started = performance.now();
  const prediction = predict(trace, { loop: DEFAULT_LIMITS });
  const predictionMs = performance.now() - started;
  const enough = new AbortController();
  const { findings } = await investigate(
    {
      execute: (spec) => subject.execute(spec, LIMITS),
      executeFresh: (spec) => subject.executeFresh(spec, LIMITS),
    },
    new LoopOrders(trace.steps, prediction, { strategy: 'directed', maxSchedules: GOAL.schedules, seed: 1 }),
    {
      maxSchedules: GOAL.schedules,
      maxTimeMs: Number.POSITIVE_INFINITY,
      confirm,
      signal: enough.signal,
      judged: (_, verdict) => verdict === 'confirmed' && enough.abort(),
    },
  );
  const [found] = findings;
  const at = new Set(trace.requests.map(({ name }) => name.split(/[.|]/)[1]));
  for (const racing of ['till', 'importer']) at.delete(racing);
  return {
    tasks: at.size,
    events: trace.events.length,
    cutPoints: prediction.cutPoints.length,
    predictionMs,
    schedules: found?.schedulesUntilFound ?? Number.POSITIVE_INFINITY,
    entity: found?.cutPoint?.entity ?? null,
  };
}

/** How many of so many seeded random orders fail. */
export async function chance(subject: Subject, runs: number): Promise<number> {
  let failed = 0;
  for (let seed = 1; seed <= runs; seed++) {
    const { outcome } = await subject.execute({ kind: 'random', seed }, LIMITS);
    if (outcome !== 'pass') failed += 1;
  }
  return failed;
}

/** What becomes of one mutant: can it fail, and does prediction confirm that it does. */
import { DEFAULT_LIMITS, type RunLimits } from '../../data/run.ts';
import { explanations } from '../../predictor/explain.ts';
import { predict } from '../../predictor/predict.ts';
import { investigate } from '../../rescheduler/investigate/investigate.ts';
import { LoopOrders } from '../../rescheduler/investigate/loop-orders.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { enumerate } from './enumerate.ts';

/**
 * `red`: fails in the observed order already, so that the tool would not analyse it; `harmless`: no order fails;
 * `unseen`: none of those that were run does, and not all were run; `confirmed` and `missed`: it can fail.
 */
export type Fate = 'red' | 'harmless' | 'unseen' | 'confirmed' | 'missed';

export interface Judgement {
  readonly fate: Fate;
  /** Orders that were enumerated, and whether one of them failed. */
  readonly runs: number;
  readonly enumerated: boolean;
  /** Schedules forced until the failure was confirmed, or all of them. */
  readonly schedules: number;
  readonly why: string;
}

const LIMITS: RunLimits = { ...DEFAULT_LIMITS, watchdogMs: 3000 };
const MAX_SCHEDULES = 200;
const MAX_TIME_MS = 60_000;
const MAX_ORDERS = 500;

export async function judge(subject: Subject): Promise<Judgement> {
  const { trace, result } = await subject.record({ limits: LIMITS });
  if (result.outcome !== 'pass')
    return {
      fate: 'red',
      runs: 0,
      enumerated: false,
      schedules: 0,
      why: result.failure?.message.split('\n', 1)[0] ?? '',
    };
  const { failing, runs, complete } = await enumerate(subject, LIMITS, MAX_ORDERS);
  const prediction = predict(trace, { loop: LIMITS });
  const enough = new AbortController();
  if (prediction.schedules.length === 0) enough.abort();
  const verdicts: Record<string, number> = {};
  let schedules = 0;
  const { findings } = await investigate(
    {
      execute: (spec) => subject.execute(spec, { limits: LIMITS }),
      executeFresh: (spec) => subject.executeFresh(spec, { limits: LIMITS }),
    },
    new LoopOrders(trace.steps, prediction, { strategy: 'directed', maxSchedules: MAX_SCHEDULES, seed: 1 }),
    {
      maxSchedules: MAX_SCHEDULES,
      maxTimeMs: MAX_TIME_MS,
      confirm: 1,
      signal: enough.signal,
      judged: (_, verdict) => {
        verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
        schedules += 1;
        // Only what is predicted counts: the random orders that would follow are left out.
        const won = verdict === 'confirmed' || verdict === 'deadlock';
        if (won || schedules === prediction.schedules.length) enough.abort();
      },
    },
  );
  const found = findings[0];
  if (found) {
    const what = found.cutPoint
      ? `${found.cutPoint.pattern} on ${found.cutPoint.entity}`
      : found.result.outcome;
    return { fate: 'confirmed', runs, enumerated: failing !== null, schedules, why: what };
  }
  if (!failing)
    return { fate: complete ? 'harmless' : 'unseen', runs, enumerated: failing !== null, schedules, why: '' };
  const order = { id: 'failing', cutPoint: null, steps: failing.steps, moves: 0, switches: 0, stallMs: 0 };
  const again = await subject.record(
    { limits: LIMITS },
    { kind: 'directed', schedule: order, cutPoint: null },
  );
  const [point = null] = explanations(again.trace, trace);
  const what = point
    ? `${point.pattern} on ${point.entity}, ${point.first.at} ${point.remote.at} ${point.second.at}`
    : 'no triple';
  const error = failing.failure?.message.split('\n', 1)[0];
  const counts = JSON.stringify(verdicts);
  return {
    fate: 'missed',
    runs,
    enumerated: failing !== null,
    schedules,
    why: `${what}; ${error}; ${counts}; ${failing.steps.join(' ')}`,
  };
}

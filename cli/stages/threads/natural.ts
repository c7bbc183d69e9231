/**
 * A program whose threads fail in their natural order. Where it passes with free threads, and in another order of these as well, the
 * natural order is a finding like any other that is forced: fresh processes say of both what they do.
 */
import { NOTHING_ASSUMED } from '../../../data/run.ts';
import type { TestRecord } from '../../../data/store/index.ts';
import { realThreads } from '../../../data/threads/tasks.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { explainThreads } from '../../../rescheduler/explain/threads.ts';
import { unplanned } from '../../../rescheduler/investigate/attempt.ts';
import { confirm } from '../../../rescheduler/investigate/confirm.ts';
import { forced } from '../../../rescheduler/investigate/counterfactual.ts';
import type { Finding } from '../../../rescheduler/investigate/investigate.ts';
import { NATURAL } from '../../../rescheduler/investigate/passing.ts';
import { ThreadExecutor } from '../../../rescheduler/tokens/executor.ts';
import type { ThreadedTest, ThreadReply } from '../../../rescheduler/tokens/protocol.ts';
import type { StageContext } from '../context.ts';
import { keepBug, meansOf, runsOf } from './bug.ts';

/** Orders that are tried to find one that passes, and the time for that, ms. */
const MOST = { orders: 12, ms: 20_000 };

export const BY_NATURE = 'its natural order fails: others were only run to find one that passes';

/** The natural order as a finding, with a recorded order that passes. */
export interface NaturalFinding {
  readonly finding: Finding;
  readonly passing: ThreadReply & { readonly trace: ThreadTrace };
}

/** null: no order was found that passes, or the two do not do so each time. */
export async function naturalFinding(
  context: StageContext,
  subject: ThreadedTest,
  failed: ThreadReply,
): Promise<NaturalFinding | null> {
  const { options, threadExecution } = context;
  const { outcome } = failed.ran;
  if ((outcome !== 'fail' && outcome !== 'deadlock') || !failed.trace) return null;
  const threads = realThreads(failed.trace.names.threads);
  const executor = new ThreadExecutor(subject, threadExecution, threads, () => null);
  const natural = executor.told(failed);
  const passing = await passingOrder(context, executor);
  if (!passing) return null;
  const recorded = await subject.execute(executor.specOf(forced(passing)), threadExecution, true);
  const { ran, trace } = recorded;
  if (ran.outcome !== 'pass' || !trace) return null;
  const schedule = unplanned(NATURAL, natural.steps);
  const fails = { kind: 'directed', schedule, cutPoint: null } as const;
  const confirmation = await confirm(
    (spec) => executor.executeFresh(spec.kind === 'observed' ? forced(passing) : spec),
    fails,
    natural,
    options.confirm,
  );
  if (!confirmation.confirmed) return null;
  const { result } = confirmation;
  const finding: Finding = {
    ...{ origin: 'directed', schedule, steps: natural.steps, cutPoint: null, assumed: NOTHING_ASSUMED },
    ...{ result, confirmation, schedulesUntilFound: 0, orders: [natural.steps], variants: [] },
  };
  return { finding, passing: { ...recorded, trace } };
}

/** The steps of the first that passes. */
async function passingOrder(
  context: StageContext,
  executor: ThreadExecutor,
): Promise<readonly string[] | null> {
  const started = performance.now();
  for (let n = 0; n < MOST.orders; n++) {
    if (context.over || performance.now() - started > MOST.ms) return null;
    const { outcome, steps, ungated } = await executor.execute({
      kind: 'random',
      seed: context.options.seed + n,
    });
    if (outcome === 'pass' && Object.keys(ungated).length === 0) return steps;
  }
  return null;
}

/** Explains it and stores it as a bug of its test, which is stored already. */
export async function keepNatural(
  context: StageContext,
  test: TestRecord,
  subject: ThreadedTest,
  { finding, passing }: NaturalFinding,
): Promise<void> {
  const { store } = context;
  const means = meansOf(context.whole, subject, runsOf(context, subject));
  const explained = await explainThreads(passing.trace, finding, means);
  const { choices: _, breadth: __, ...result } = finding.result;
  store.recordSchedulePlanned(test.id, finding.schedule, finding.origin, null);
  store.atomically(() => {
    store.recordRun(test.id, { schedule: NATURAL, mode: 'fresh', control: false, result });
    store.setVerdict(test.id, NATURAL, result.outcome === 'deadlock' ? 'deadlock' : 'confirmed');
  });
  keepBug(context, test, finding, explained);
  context.counters.found += 1;
}

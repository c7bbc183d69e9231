/** `unweave explain`: one test that somebody knows to be flaky, looked at until something fails or its time is over. */
import type { ReportBug } from '../../data/report.ts';
import { errorLine } from '../../report/phrase.ts';
import type { ExplainedView } from '../../report/unexplained.ts';
import { fingerprintOf } from '../../rescheduler/investigate/confirm.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { chooseCase, type WantedCase } from '../case.ts';
import type { PipelineResult } from '../pipeline-api.ts';
import type { PlainNode, StageContext } from './context.ts';
import { brokenStage, monitorStage } from './monitor.ts';
import { plainRuns } from './plainly.ts';
import { predictStage } from './predict.ts';
import { reportStage } from './report.ts';
import { rescheduleStage } from './reschedule.ts';

export async function explainStage(context: StageContext, wanted: WantedCase): Promise<PipelineResult> {
  const { id, file, name } = await choose(context, wanted);
  const subject = context.subjects.get(id);
  if (subject) context.onPlainNode = await onPlainNode(context, subject);
  await monitorStage(context);
  await predictStage(context);
  await rescheduleStage(context);
  await brokenStage(context);
  const result = await reportStage(context);
  return { ...result, explained: explainedOf(context, result, { id, title: `${file} › ${name}` }) };
}

/** Finds the tests of the command, and leaves all but one. */
async function choose(context: StageContext, wanted: WantedCase) {
  const { options, subjects, threads } = context;
  await context.findSubjects();
  const all = new Map([...threads, ...subjects].map(([id, { file, name }]) => [id, { id, file, name }]));
  const one = chooseCase([...all.values()], wanted, options.cwd);
  for (const tests of [subjects, threads])
    for (const [id, other] of tests)
      if (id !== one.id) {
        tests.delete(id);
        await other.close();
      }
  return one;
}

/** Nothing is known where it cannot be run there. */
const onPlainNode = (context: StageContext, subject: Subject): Promise<PlainNode | null> =>
  context.inTime(() => plainRuns(context, subject, context.options.times), null);

function explainedOf(
  context: StageContext,
  { report }: PipelineResult,
  { id, title }: { readonly id: string; readonly title: string },
): ExplainedView {
  const { onPlainNode: plain, options, store } = context;
  const isSame = (bug: ReportBug): boolean =>
    plain?.failures.some((run) => fingerprintOf(run) === store.getBug(bug.id)?.fingerprint) ?? false;
  // What plain Node has shown is what somebody wants to have explained.
  const bug = report.bugs.find(isSame) ?? report.bugs[0] ?? null;
  const [first] = plain?.failures ?? [];
  return {
    test: id,
    title,
    bug: bug?.id ?? null,
    plain:
      plain === null || plain.of === 0
        ? null
        : {
            ok: plain.ok,
            of: plain.of,
            error: first ? (first.failure ? errorLine(first.failure) : first.outcome) : null,
            isSame: bug !== null && isSame(bug),
          },
    seed: options.seed,
    maxSchedules: options.maxSchedules,
    maxStallMs: options.maxStallMs,
    maxTimeMs: options.maxTimeMs,
    store: options.store,
  };
}

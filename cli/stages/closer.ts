/** Findings that nothing explains, because what they are about was not looked into: a closer look at packages that were called. */
import type { ReportBug } from '../../data/report.ts';
import type { Assumptions, RunResult, StrategySpec } from '../../data/run.ts';
import type { TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import { predict } from '../../predictor/predict.ts';
import { lockWaits } from '../../report/lock-waits.ts';
import { type CloseUp, explainCloser, isOpen, likeIn } from '../../rescheduler/explain/closer.ts';
import { sameFailure } from '../../rescheduler/investigate/confirm.ts';
import type { Finding } from '../../rescheduler/investigate/investigate.ts';
import { type Subject, SubjectError } from '../../rescheduler/subjects/protocol.ts';
import { suspectPackages } from '../project/suspects.ts';
import type { KeptBug } from './bug.ts';
import { explainingTime, type StageContext } from './context.ts';
import { naturalFailureOf } from './natural-failure.ts';
import { loopOf } from './predict.ts';

/** The finding, explained by a closer look; null: there is nothing to look into, or it says no more. */
export async function lookCloser(
  context: StageContext,
  test: TestRecord,
  own: Subject,
  finding: Finding,
  kept: KeptBug,
): Promise<KeptBug | null> {
  // Who waits for whom tells all of a circle.
  if (!isOpen(kept) || (kept.failing && lockWaits(kept.failing).length > 0)) return null;
  const look = { context, test, own, finding, kept, isOver: explainingTime(context) };
  const sets = suspectPackages(context.options.cwd, kept.failing?.packages ?? []);
  // Most sleeps that seem too short are: one look is enough.
  for (const packages of kept.timing?.told ? sets.slice(0, 1) : sets) {
    const closer = look.isOver() ? null : await lookInto(packages, look);
    if (closer) return closer;
  }
  return null;
}

interface CloserLook {
  readonly context: StageContext;
  readonly test: TestRecord;
  readonly own: Subject;
  readonly finding: Finding;
  readonly kept: KeptBug;
  isOver(): boolean;
}

async function lookInto(
  packages: readonly string[],
  { context, test, own, finding, kept, isOver }: CloserLook,
): Promise<KeptBug | null> {
  const subject = own.lookInto?.(packages);
  if (!subject) return null;
  const { assumed } = finding;
  const isAlike = (result: RunResult): boolean => sameFailure(result, finding.result);
  try {
    const closeUp = await recordAlike(
      (spec) => context.record(subject, spec, assumed),
      test,
      subject,
      kept,
      isAlike,
    );
    const lookedInto = packages.filter((name) => closeUp && isIn(closeUp, name));
    if (!closeUp || lookedInto.length === 0) return null;
    const under = context.under(assumed);
    const run = (spec: StrategySpec): Promise<RunResult> => subject.execute(spec, under);
    const predicted = predict(closeUp.natural, loopOf(context.options));
    const means = { file: test.file, run, isOver };
    const explained = await explainCloser(finding, kept, closeUp, predicted, means);
    return explained && { ...explained, id: kept.id, lookedInto };
  } finally {
    await subject.close();
  }
}

/** Whether anything of a package was seen in these orders. */
const isIn = ({ natural, failing }: CloseUp, name: string): boolean =>
  [natural, failing].some(({ sites }) => sites.some(({ file }) => file.includes(`node_modules/${name}/`)));

/** Both orders, run alike with more looked into; null where that does not work out. */
async function recordAlike(
  record: (spec?: StrategySpec) => ReturnType<StageContext['record']>,
  test: TestRecord,
  subject: Subject,
  { natural, failing }: Pick<KeptBug, 'natural' | 'failing'>,
  isAlike: (result: RunResult) => boolean,
): Promise<CloseUp | null> {
  const broken = naturalFailureOf(test);
  if (broken?.isSerial) subject.observeSerially?.();
  const usual = broken && !broken.isSerial ? likeIn(natural) : undefined;
  const wanted = failing && likeIn(failing);
  if (usual === null || !wanted) return null;
  try {
    const passes = await record(usual);
    if (passes.result.outcome !== 'pass') return null;
    const fails = await record(wanted);
    return isAlike(fails.result) ? { natural: passes.trace, failing: fails.trace } : null;
  } catch (error) {
    // With more looked into it does not run as it did: then this says nothing.
    if (error instanceof SubjectError) return null;
    throw error;
  }
}

/** The orders of a stored bug as they were told: with as much looked into, where that took a closer look. */
export async function asTold<Orders extends { readonly natural: Trace; readonly failing: Trace | null }>(
  context: StageContext,
  test: TestRecord,
  own: Subject,
  orders: Orders,
  { lookedInto }: Pick<ReportBug, 'lookedInto'>,
  assumed: Assumptions,
): Promise<Orders | CloseUp> {
  const subject = lookedInto.length > 0 ? own.lookInto?.(lookedInto) : undefined;
  if (!subject) return orders;
  const hasFailed = ({ outcome }: RunResult): boolean => outcome !== 'pass';
  try {
    const record = (spec?: StrategySpec) => context.record(subject, spec, assumed);
    return (await recordAlike(record, test, subject, orders, hasFailed)) ?? orders;
  } finally {
    await subject.close();
  }
}

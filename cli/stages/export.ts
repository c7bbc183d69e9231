/** `unweave export`: a bug as a test of the user's runner, with its order in a file beside it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, parse, relative, resolve } from 'node:path';
import { type RunnerName, runnerRow } from '../../data/runners.ts';
import { MINIMAL, type TestRecord } from '../../data/store/index.ts';
import { liesIn, projectRoot } from '../../report/project-root.ts';
import { describeShape } from '../../report/shape.ts';
import { sourceReader } from '../../report/sources.ts';
import type { SubjectSource } from '../../rescheduler/subjects/source.ts';
import { UsageError } from '../errors.ts';
import { exportedTest, moduleStyle, type OverlapText } from '../project/exported-test.ts';
import { readManifest } from '../project/manifest.ts';
import { limitsOf } from './as-recorded.ts';
import { assumedBy } from './assumptions.ts';
import type { StageContext } from './context.ts';
import { bugView, explanationOf } from './evidence.ts';
import { heldSteps } from './held-steps.ts';
import { type OrderFile, withoutRoot } from './order-file.ts';
import { recordedSettings, recordedStart } from './sources.ts';

/** A step that a child process takes, which is named behind the child's end. */
const isOfChild = (step: string): boolean => /\|child_process\.exit#[\d.]+>/.test(step);

export interface ExportView {
  readonly id: string;
  /** What was written, relative to the working directory: the test, and its order. */
  readonly test: string;
  readonly order: string;
}

export function exportStage(context: StageContext, id: string, out: string | null): ExportView {
  const { store, options } = context;
  const bug = store.getBug(id);
  const test = bug && store.getTest(bug.report.test);
  const stored =
    bug?.schedule && store.schedules(bug.report.test).find(({ schedule }) => schedule.id === bug.schedule);
  const natural = test && store.getTrace(test.id);
  if (!bug || !test) throw new UsageError(`${id}: no bug of ${store.path}`);
  if (!stored || !natural || store.getThreadTrace(test.id))
    throw new UsageError(`${id}: an order of threads cannot be exported; keep it by its replay command`);
  if (stored.schedule.steps.some(isOfChild))
    throw new UsageError(
      `${id}: an order of what child processes do cannot be exported; keep it by its replay command`,
    );
  const start = recordedStart(test);
  if (!start) throw new UsageError(`${id}: nothing is known of how its test was started: record it anew`);
  const settings = recordedSettings(test);
  context.lookAs(settings);
  const { cwd } = options;
  const original = resolve(cwd, start.source.kind === 'program' ? start.source.of.file : start.source.file);
  const root = projectRoot(cwd, {});
  if (!existsSync(original) || !liesIn(root, original))
    throw new UsageError(
      `${id}: ${original} is not a file of this project: export it in the folder where it was found`,
    );
  const isOfRunner = test.kind !== 'harness' && test.kind !== 'script';
  const beside = isOfRunner ? besideOf(original, id) : testOf(original, id, cwd);
  const file = out === null ? beside : resolve(cwd, out);
  const orderName = `${basename(file).replace(/\..*$/, '')}.order.json`;
  const point = explanationOf(bug.report, store.getCutPoints(test.id), natural, null);
  const view = bugView(test, bug.report, point, natural, null, { late: [], failure: null }, stored.origin);
  const { name, sentence } = describeShape(view, sourceReader(cwd));
  const { instrument, exclude, assumeIo, allowPeers, locks } = context.options;
  const limits = context.under(assumedBy(bug.report, context.options)).limits;
  const order: OrderFile = {
    version: 1,
    ...{ bug: id, about: `${name}: ${sentence}`, test: view.testTitle, error: bug.report.error },
    root: relative(dirname(file), root) || '.',
    ...withoutRoot(
      {
        ...start,
        config: {
          cwd,
          ...{ instrument: [...instrument], exclude: [...exclude], assumeIo: [...assumeIo] },
          ...{ allowPeers: [...allowPeers], locks: [...locks] },
        },
        limits: { ...limits, ...limitsOf(test) },
        steps: [...stored.schedule.steps],
        late: heldSteps(natural, stepsTaken(context, test, stored.schedule.id)),
      },
      root,
    ),
  };
  const text = exportedTest({
    runner: runnerRow(isOfRunner ? (test.kind as RunnerName) : 'node-test'),
    style: moduleStyle(
      original,
      readFileSync(original, 'utf8'),
      isModule(dirname(original)),
      test.kind,
      start.source,
    ),
    title: `${test.name} stays fixed: ${name} (${id})`,
    order: orderName,
    overlap: overlapOf(start.source, view.error.message, dirname(file)),
  });
  const orderFile = join(dirname(file), orderName);
  writeNew(orderFile, `${JSON.stringify(order, null, 2)}\n`, cwd);
  writeNew(file, text, cwd);
  return { id, test: relative(cwd, file), order: relative(cwd, orderFile) };
}

function overlapOf(source: SubjectSource, told: string, folder: string): OverlapText | undefined {
  if (source.kind !== 'scenario') return undefined;
  const { calls, sequel, spec, start } = source;
  return { calls, sequel, spec, start, told, from: relative(folder, source.file) };
}

/** Of the run that was judged: a minimal order is one that was made of it. */
function stepsTaken({ store }: StageContext, { id }: TestRecord, schedule: string): readonly string[] {
  const judged = schedule.endsWith(MINIMAL) ? schedule.slice(0, -MINIMAL.length) : schedule;
  const run = store.runs(id, schedule).at(-1) ?? store.runs(id, judged).at(-1);
  return run?.result.steps ?? [];
}

/** `bank.test.ts` → `bank-b7f3a1.test.ts`: found by whatever pattern finds the original. */
function besideOf(original: string, id: string): string {
  const name = basename(original);
  const dot = name.indexOf('.', 1);
  return join(dirname(original), dot < 0 ? `${name}-${id}` : `${name.slice(0, dot)}-${id}${name.slice(dot)}`);
}

/** Of what is no test file: what looks for harnesses or scripts should not find it. */
const testOf = (original: string, id: string, cwd: string): string => {
  const { name, ext } = parse(original);
  return join(cwd, 'test', `${name}-${id}.test${ext}`);
};

/** What a package says of its files. */
function isModule(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const manifest = readManifest(at);
    if (manifest) return manifest.type === 'module';
    if (dirname(at) === at) return false;
  }
}

function writeNew(file: string, text: string, cwd: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UsageError(`${relative(cwd, file)} is there already; name another file by --out`);
  }
}

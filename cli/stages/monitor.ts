/** Stage 1: every test once in observed order with everything recorded, then again until it is trusted. */
import PQueue from 'p-queue';
import type { RunResult } from '../../data/run.ts';
import type { Trace } from '../../data/trace.ts';
import { coverageOf } from '../../predictor/coverage.ts';
import { errorLine } from '../../report/phrase.ts';
import { type Subject, SubjectError } from '../../rescheduler/subjects/protocol.ts';
import { type FurtherRuns, furtherRuns } from './baseline-runs.ts';
import type { Context } from './context.ts';
import { isStale, settingsOf, sourcesOf } from './sources.ts';

/** So many tests may keep their warm processes for the stage after the next; those of more are ended. */
const KEPT_WARM = 8;

export async function monitorStage(context: Context): Promise<void> {
  const started = performance.now();
  const { store, options } = context;
  await context.findSubjects();
  const subjects = [...context.subjects.values()];
  for (const test of store.tests()) if (isStale(test, options)) store.removeTest(test.id);
  const known = new Set(store.tests().map((t) => t.id));
  store.putTests(subjects.filter((s) => !known.has(s.id)).map((s) => ({ ...registration(s), recipe: {} })));
  const ids = new Set(store.testsToDo('record').map((t) => t.id));
  const todo = subjects.filter((subject) => ids.has(subject.id));
  await context.attempt(async () => {
    const further = await furtherRuns(context, todo);
    const queue = new PQueue({ concurrency: options.jobs });
    let done = subjects.length - todo.length;
    const record = async (subject: Subject): Promise<void> => {
      if (context.over) return;
      await context.attempt(() => recordTest(context, subject, further));
      if (todo.length > KEPT_WARM || store.getTest(subject.id)?.finished) await subject.close();
      done += 1;
      context.tell('recording', subject.name, { done, of: subjects.length });
    };
    await Promise.all(todo.map((subject) => queue.add(() => record(subject))));
  });
  store.addTiming('monitor', performance.now() - started);
}

const registration = ({ id, file, name, kind }: Subject) => ({ id, file, name, ordinal: 0, kind });

async function recordTest(context: Context, subject: Subject, further: FurtherRuns): Promise<void> {
  const { store } = context;
  let recorded: Trace | null = null;
  const reject = (baseline: 'red' | 'flaky', why: string): void => {
    // Free threads may race in these runs: such a test is judged under the token, and only its trace is wanted here.
    if (recorded?.ungated['Worker']) store.putTrace(subject.id, recorded);
    store.updateTest(subject.id, { baseline, note: why, finished: true });
    context.note(subject.id, { reason: why });
  };
  try {
    const { trace, result } = await context.record(subject);
    recorded = trace;
    if (result.outcome !== 'pass') {
      const under = context.assumptions.io ? 'where calls named by --assume-io take time: ' : '';
      return reject('red', under + describe(result));
    }
    const other = await further(subject);
    // A test that was not repeated as often as it should be is left for the next command.
    if (context.over) return;
    if (other === 'lost') return reject('flaky', 'a second run of the command did not run it');
    if (other) return reject('flaky', describe(other));
    const { coverage, tasks, reason } = coverageOf(trace);
    const finished = coverage !== 'analysed';
    const recipe = {
      sources: sourcesOf(trace, context.options.cwd),
      settings: settingsOf(context.options),
      source: subject.source,
    };
    store.atomically(() => {
      store.putTrace(subject.id, trace);
      store.putTest({ ...registration(subject), recipe });
      store.updateTest(subject.id, { baseline: 'passed', coverage, tasks, note: reason, finished });
    });
  } catch (error) {
    if (!(error instanceof SubjectError)) throw error;
    reject('red', error.message);
  }
}

function describe(result: RunResult): string {
  const { failure, outcome } = result;
  return failure ? errorLine(failure) : outcome;
}

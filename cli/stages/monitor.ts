/** Stage 1: every test once in observed order with everything recorded, then again until it is trusted. */
import PQueue from 'p-queue';
import { coverageOf } from '../../predictor/coverage.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import type { Context } from './context.ts';

/** Observed runs beyond the recorded one; one that fails makes the test flaky. */
const BASELINE_RUNS = 2;

export async function monitorStage(context: Context): Promise<void> {
  const started = performance.now();
  const { store, options } = context;
  await context.findSubjects();
  const known = new Set(store.tests().map((t) => t.id));
  const subjects = [...context.subjects.values()];
  store.putTests(
    subjects
      .filter((s) => !known.has(s.id))
      .map(({ id, file, name, kind }) => ({ id, file, name, ordinal: 0, kind, recipe: {} })),
  );
  const todo = new Set(store.testsToDo('record').map((t) => t.id));
  const queue = new PQueue({ concurrency: options.jobs });
  let done = 0;
  const of = subjects.length;
  await Promise.all(
    subjects.map((subject) =>
      queue.add(async () => {
        if (todo.has(subject.id) && !context.over) await recordTest(context, subject);
        done += 1;
        context.tell('recording', subject.name, { done, of });
      }),
    ),
  );
  store.addTiming('monitor', performance.now() - started);
}

async function recordTest(context: Context, subject: Subject): Promise<void> {
  const { store } = context;
  const { trace, result } = await subject.record(context.execution);
  const { coverage, tasks, reason } = coverageOf(trace);
  if (result.outcome !== 'pass') {
    const why = result.failure
      ? `${result.failure.name}: ${firstLine(result.failure.message)}`
      : result.outcome;
    store.updateTest(subject.id, { baseline: 'red', note: why, finished: true });
    context.note(subject.id, { reason: why });
    return;
  }
  for (let i = 0; i < BASELINE_RUNS && !context.over; i++) {
    const again = await subject.execute({ kind: 'observed' }, context.execution);
    if (again.outcome === 'pass') continue;
    const why = again.failure ? `${again.failure.name}: ${firstLine(again.failure.message)}` : again.outcome;
    store.updateTest(subject.id, { baseline: 'flaky', note: why, finished: true });
    context.note(subject.id, { reason: why });
    return;
  }
  store.putTrace(subject.id, trace);
  const finished = coverage !== 'analysed';
  store.updateTest(subject.id, { baseline: 'passed', coverage, tasks, note: reason, finished });
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

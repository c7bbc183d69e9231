/** Stage 2 for tests of threads: cut points and schedules from their traces. */
import { collectThreadEvents, type Store } from '../../../data/store/index.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { forcibleCutPoints } from '../../../predictor/threads/forcible.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { scheduleOf } from '../../../predictor/threads/schedules.ts';
import type { StageContext } from '../context.ts';

export async function predictThreads(context: StageContext): Promise<void> {
  const { store } = context;
  const todo = store.tests().filter((test) => test.coverage === 'analysed' && !test.predicted);
  for (const test of todo) {
    if (context.over) break;
    const trace = threadTrace(store, test.id);
    if (!trace) continue;
    const tally = newTally();
    const found = forcibleCutPoints(trace, tally);
    store.atomically(() => {
      store.putThreadCutPoints(test.id, found);
      store.putSchedules(
        test.id,
        found.map((cutPoint) => scheduleOf(trace, cutPoint)),
      );
      store.updateTest(test.id, { predicted: true });
    });
    const left = tally.undecided + tally.unscheduled;
    context.note(test.id, { silence: { pairs: tally.triples, left, reasons: [] } });
    context.tell('predicting', test.name);
    // Lets a signal through between two tests.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The recorded trace of a harness of threads; null for other tests. */
export function threadTrace(store: Store, id: string): ThreadTrace | null {
  const stored = store.getThreadTrace(id);
  return stored && { events: collectThreadEvents(stored), names: stored.names() };
}

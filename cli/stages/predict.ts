/** Stage 2: cut points and schedules from every trace. Pure work on the store; no program runs. */
import { predict } from '../../predictor/predict.ts';
import type { Context } from './context.ts';

export async function predictStage(context: Context): Promise<void> {
  const started = performance.now();
  const { store, options } = context;
  const todo = store.testsToDo('predict').filter((t) => t.coverage === 'analysed' || t.coverage === null);
  let done = 0;
  for (const test of todo) {
    if (context.over) break;
    const trace = store.getTrace(test.id);
    if (!trace) continue;
    const prediction = predict(trace, loopOf(options));
    const { sharedEntities } = prediction.stats;
    store.atomically(() => {
      store.putCutPoints(test.id, prediction.cutPoints);
      store.putSchedules(test.id, prediction.schedules);
      store.updateTest(test.id, { sharedEntities, predicted: true });
    });
    context.predictions.set(test.id, prediction.stats);
    done += 1;
    context.tell('predicting', test.name, { done, of: todo.length });
    // Lets a signal through between two tests.
    await new Promise((resolve) => setImmediate(resolve));
  }
  store.addTiming('predict', performance.now() - started);
}

export function loopOf(options: { maxStallMs: number; maxPauseMs: number }) {
  return { loop: { maxStallMs: options.maxStallMs, maxPauseMs: options.maxPauseMs } };
}

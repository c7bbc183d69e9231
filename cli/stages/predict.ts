/** Stage 2: cut points and schedules from every trace. Pure work on the store; no program runs. */
import type { TestRecord } from '../../data/store/index.ts';
import { predict } from '../../predictor/predict.ts';
import { LATE } from '../../rescheduler/investigate/late.ts';
import type { StageContext } from './context.ts';
import { predictThreads } from './threads/predict.ts';

export async function predictStage(context: StageContext): Promise<void> {
  const started = performance.now();
  await context.store.inGroups(() => predictLoops(context));
  await predictThreads(context);
  context.store.addTiming('predict', performance.now() - started);
}

/** Note of a test of which not all was looked at; whoever forces what was found keeps it. */
export const PREDICTION_ENDED = 'budget ended (prediction)';

/** The rest of the time that is left is for forcing what was predicted. */
const SHARE = 0.5;

async function predictLoops(context: StageContext): Promise<void> {
  const todo = context.store.testsToDo('predict').filter(isPredictable);
  const end = performance.now() + SHARE * context.left;
  let done = 0;
  for (const [i, test] of todo.entries()) {
    if (context.over) break;
    const tell = () => context.tell('predicting', test.name, { done, of: todo.length });
    const now = performance.now();
    if (!predictTest(context, test, tell, now + (end - now) / (todo.length - i))) continue;
    done += 1;
    tell();
    // Lets a signal through between two tests.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export const isPredictable = ({ coverage }: TestRecord): boolean =>
  coverage === 'analysed' || coverage === null;

/**
 * Stage 2 of one test; false: nothing is recorded of it, or the time for the run ended before. `tell`: called all the while, for a large
 * trace takes its time. `end`: what is found until then is all that is looked for, ms of {@link performance.now}.
 */
export function predictTest(
  context: StageContext,
  test: TestRecord,
  tell = () => {},
  end = Number.POSITIVE_INFINITY,
): boolean {
  const { store, options } = context;
  const trace = store.getTrace(test.id);
  if (!trace) return false;
  const isOver = () => {
    tell();
    return context.left <= 0 || performance.now() > end;
  };
  const prediction = predict(trace, { ...loopOf(options), isOver });
  if (context.left <= 0) return false;
  const schedules = [...prediction.schedules];
  const cutPoints = new Map(prediction.cutPoints.map((c) => [c.id, c]));
  if (context.assumptions.late) {
    const later = predict(trace, {
      ...loopOf({ ...options, maxStallMs: options.assumeStallMs ?? 0 }),
      isOver,
    });
    if (context.left <= 0) return false;
    const known = new Set(schedules.map(({ id }) => id));
    for (const each of later.schedules)
      if (!known.has(each.id)) schedules.push({ ...each, id: each.id + LATE });
    for (const each of later.cutPoints) if (!cutPoints.has(each.id)) cutPoints.set(each.id, each);
  }
  const { left, sharedEntities } = prediction.stats;
  const note = left > 0 ? PREDICTION_ENDED : null;
  store.atomically(() => {
    store.putCutPoints(test.id, [...cutPoints.values()]);
    store.putSchedules(test.id, schedules);
    store.updateTest(test.id, { sharedEntities, predicted: true, note });
  });
  context.predictions.set(test.id, prediction.stats);
  context.reordered.set(test.id, prediction.reordered);
  return true;
}

export function loopOf(options: { maxStallMs: number; maxPauseMs: number }) {
  return { loop: { maxStallMs: options.maxStallMs, maxPauseMs: options.maxPauseMs } };
}

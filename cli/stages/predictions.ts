/** Every prediction of a store in short: cut points, and orders that none stands for. */
import type { Store } from '../../data/store/index.ts';
import { predict } from '../../predictor/predict.ts';
import { VERDICT_ORDER } from '../../report/inspect.ts';
import { verb } from '../../report/phrase.ts';
import type { PredictionView } from '../../report/view.ts';
import type { StageContext } from './context.ts';
import { inspectOrders } from './inspect-orders.ts';
import { loopOf } from './predict.ts';

export function predictionsOf(
  context: Pick<StageContext, 'store' | 'options' | 'reordered'>,
  isOurs: (test: string) => boolean,
): PredictionView[] {
  const { store } = context;
  const rows = store
    .tests()
    .filter(({ id }) => isOurs(id))
    .flatMap((test): PredictionView[] => {
      const trace = store.getTrace(test.id);
      if (!trace) return [];
      const reordered = () =>
        context.reordered.get(test.id) ?? predict(trace, loopOf(context.options)).reordered;
      const orders = inspectOrders(store, test, trace, reordered).map(
        ({ id, kind, entity, first, second, why, verdict }): PredictionView => {
          const places = [first, second].flatMap((step) =>
            step
              ? [{ task: step.task, what: step.what, at: step.at ? `${step.at.file}:${step.at.line}` : '' }]
              : [],
          );
          return { id, kind, test: test.id, entity, places, why, verdict };
        },
      );
      return [...cutPointsOf(store, test.id), ...orders];
    });
  const rank = ({ verdict }: PredictionView): number =>
    VERDICT_ORDER.indexOf(verdict as (typeof VERDICT_ORDER)[number]);
  return rows.sort((a, b) => rank(a) - rank(b));
}

function cutPointsOf(store: Store, test: string): PredictionView[] {
  const schedules = Map.groupBy(store.schedules(test), ({ schedule }) => schedule.cutPoint);
  return store.getCutPoints(test).map(({ id, pattern, entity, first, remote, second, reasons }) => {
    const own = schedules.get(id) ?? [];
    const places = [first, remote, second].map(({ task, access, at }) => ({ task, what: verb(access), at }));
    const verdict = VERDICT_ORDER.find((each) => own.some((stored) => stored.verdict === each)) ?? null;
    return { id, kind: pattern, test, entity, places, why: reasons.join(', '), verdict };
  });
}

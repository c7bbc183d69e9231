/** `unweave inspect`: cut points of a store with all that is known of them. */
import type { LoopOptions } from '../../data/feasibility/rules.ts';
import { MINIMAL, type Store, type TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import { predict } from '../../predictor/predict.ts';
import type { InspectCutPoint, InspectSchedule, InspectView, ShownLock } from '../../report/inspect.ts';
import type { InspectOrder } from '../../report/inspect-orders.ts';
import { rowsOfSteps } from '../../report/rows.ts';
import { called, cutPointView, tells } from './evidence.ts';
import { inspectOrders } from './inspect-orders.ts';
import { inspectThreads } from './threads/inspect.ts';
import { threadTriplesOf } from './threads/why.ts';
import { placesOf, triplesOf } from './why.ts';

export function inspect(store: Store, filters: readonly string[], loop: Partial<LoopOptions>): InspectView {
  const places = filters.map(placesOf).find((found) => found !== null);
  if (places) {
    const triples = store.tests().flatMap((test) => {
      const trace = store.getTrace(test.id);
      return trace ? triplesOf(store, test, trace, places, loop) : threadTriplesOf(store, test, places);
    });
    return { cutPoints: [], orders: [], triples, filters };
  }
  const cutPoints = store.tests().flatMap((test) => {
    const trace = store.getTrace(test.id);
    const all = trace ? inspectTest(store, test, trace) : inspectThreads(store, test);
    return all.filter((row) => filters.every((filter) => matches(row, filter)));
  });
  const orders = store.tests().flatMap((test) => {
    const trace = store.getTrace(test.id);
    const all = trace ? inspectOrders(store, test, trace, () => predict(trace, { loop }).reordered) : [];
    return all.filter((order) => filters.every((filter) => isAbout(order, filter)));
  });
  return { cutPoints, orders, triples: null, filters };
}

/** The same for an order, whose kind is a filter, too. */
function isAbout(
  { id, kind, bug, verdict, first, second, entity, testTitle }: InspectOrder,
  filter: string,
): boolean {
  if ([id, kind, bug, verdict].includes(filter)) return true;
  const places = [first?.at, second?.at].flatMap((at) => at ?? []);
  if (/:\d+$/.test(filter) && places.some(({ file, line }) => `${file}:${line}`.endsWith(filter)))
    return true;
  return [...places.map(({ file }) => file), entity ?? '', testTitle].some((text) => text.includes(filter));
}

function inspectTest(store: Store, test: TestRecord, trace: Trace): InspectCutPoint[] {
  const schedules = store.schedules(test.id);
  const bugs = store.bugs(test.id);
  const title = `${test.file} › ${test.name}`;
  return store.getCutPoints(test.id).map((cutPoint): InspectCutPoint => {
    const own = schedules.filter((s) => s.schedule.cutPoint === cutPoint.id);
    const ids = new Set(own.map((s) => s.schedule.id));
    const view = cutPointView(cutPoint, trace);
    const told = bugs.find(({ report }) => tells(cutPoint, report));
    return {
      cutPoint: told ? called(view, told.report) : view,
      testTitle: title,
      transaction: cutPoint.transaction,
      locks: { first: cutPoint.locksFirst.map(held), remote: cutPoint.locksRemote.map(held) },
      rank: cutPoint.rank,
      reasons: cutPoint.reasons,
      // The minimal form of one is for replay.
      schedules: own.flatMap(({ schedule, verdict }): InspectSchedule[] =>
        schedule.id.endsWith(MINIMAL)
          ? []
          : [
              {
                id: schedule.id,
                moves: schedule.moves,
                switches: schedule.switches,
                stallMs: schedule.stallMs,
                verdict,
                steps: rowsOfSteps(trace, schedule.steps),
              },
            ],
      ),
      bug: bugs.find((b) => b.schedule !== null && ids.has(b.schedule))?.report.id ?? null,
    };
  });
}

const held = (name: string): ShownLock => ({ name });

/**
 * A filter is a cut point, bug or schedule id, a pattern, a verdict, a line (`src/bank.ts:12`), or part of an
 * entity, file or test.
 */
function matches(row: InspectCutPoint, filter: string): boolean {
  const { cutPoint, bug, schedules, testTitle } = row;
  if (cutPoint.id === filter || bug === filter || cutPoint.pattern === filter) return true;
  if (schedules.some((s) => s.id === filter || s.verdict === filter)) return true;
  const accesses = [cutPoint.first, cutPoint.remote, cutPoint.second];
  if (/:\d+$/.test(filter) && accesses.some(({ file, line }) => `${file}:${line}`.endsWith(filter)))
    return true;
  return [...accesses.map(({ file }) => file), cutPoint.entity, testTitle].some((text) =>
    text.includes(filter),
  );
}

/**
 * Tests that are not forced, as others are that stand for them: nothing that was seen of them depends on the order, and each two
 * of their steps that may change places are, with the same code behind them, two steps of a test that is forced.
 */
import type { Swaps } from '../../data/prediction.ts';
import type { Store, TestRecord } from '../../data/store/index.ts';
import { swaps } from '../../predictor/swaps.ts';
import { DIRECTED } from '../../rescheduler/strategies/list.ts';
import { asksAlone } from './as-recorded.ts';
import type { StageContext } from './context.ts';
import { naturalFailureOf } from './natural-failure.ts';
import { pendingOf } from './pending.ts';

/** By test, those that stand for it. */
export type StandIns = ReadonlyMap<string, ReadonlySet<string>>;

/** A harness and a script are written for what they do: none is like another one. */
const isCase = ({ kind }: Pick<TestRecord, 'kind'>): boolean => kind !== 'harness' && kind !== 'script';

/** The first test that has a pair of steps is forced. `pairsOf`: null where nobody may stand for a test. */
export function standInsOf(
  tests: readonly TestRecord[],
  pairsOf: (test: TestRecord) => Swaps | null,
): StandIns {
  const forced = new Map<string, string>();
  const standIns = new Map<string, ReadonlySet<string>>();
  for (const test of tests) {
    const pairs = pairsOf(test);
    // Where no two steps may change places there is something else that nobody knows.
    if (!pairs || pairs.size === 0) continue;
    const own = [...pairs.keys()].map((pair) => forced.get(pair));
    if (own.every((each) => each !== undefined)) standIns.set(test.id, new Set(own));
    else for (const pair of pairs.keys()) if (!forced.has(pair)) forced.set(pair, test.id);
  }
  return standIns;
}

/** A test case of a runner: others may stand for it. */
export const mayBeStoodFor = (context: StageContext, test: TestRecord): boolean =>
  isCase(test) && isOnlySearched(context, test);

/** Nothing in a test is to be forced but what a search might meet. Who asks for a search gets it, and who writes a harness. */
export function isOnlySearched(context: StageContext, test: TestRecord): boolean {
  const { assumptions, options, store, subjects } = context;
  const { isDeep, isThorough, strategy } = options;
  const subject = subjects.get(test.id);
  return (
    !isDeep &&
    !isThorough &&
    strategy === DIRECTED &&
    !assumptions.late &&
    !assumptions.io &&
    subject !== undefined &&
    test.kind !== 'harness' &&
    context.overlapping(test.id)?.overlaps === undefined &&
    !context.threads.has(test.id) &&
    !asksAlone(test) &&
    naturalFailureOf(test) === null &&
    pendingOf(store, test).length === 0
  );
}

/** The pairs of a recorded test; null: something in it depends on the order, or is not known. */
export function pairsIn(store: Store, { id, coverage }: TestRecord, maxStallMs: number): Swaps | null {
  const trace = coverage === 'analysed' ? store.getTrace(id) : null;
  return trace && swaps(trace, maxStallMs);
}

/** Whether what was forced of a test speaks for others: all that was asked for, and nothing failed. */
export const speaksForOthers = (store: Store, id: string): boolean => {
  const test = store.getTest(id);
  return test?.baseline === 'passed' && test.finished && test.note === null && store.bugs(id).length === 0;
};

/** Of a test that nobody forced, as others stand for it. */
export const isStoodFor = (
  store: Store,
  { id, kind, baseline, coverage, finished, note, orders, predicted }: TestRecord,
): boolean =>
  baseline === 'passed' &&
  coverage === 'analysed' &&
  finished &&
  predicted &&
  note === null &&
  orders === null &&
  isCase({ kind }) &&
  store.schedules(id).length === 0;

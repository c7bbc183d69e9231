/** What a deeper search would take, and how it is started. */
import type { Report, ReportTest } from '../data/report.ts';
import { count } from './layout.ts';
import { forcedRuns, stateOf } from './test-state.ts';
import type { ReportViews } from './view.ts';

/**
 * Of tests in which nothing was found, and that have orders which were not executed. How many there are is an estimate, and a search
 * may end before; what no search gets through is told as that.
 */
export function deeperLines({ tests }: Report, { deeper, tests: notes }: ReportViews): string[] {
  const left = tests.flatMap((test) => (deeper && isLeft(test, notes) ? leftOf(test) : []));
  if (!deeper || left.length === 0) return [];
  const { command, orders } = deeper;
  const runs = left.reduce((sum, { known, forced }) => sum + Math.min(orders, Math.ceil(known)) - forced, 0);
  const few = left.every(({ known }) => known <= orders);
  const which = `${count(left.length, 'test')} without a finding`;
  const what = few
    ? `about ${count(runs, 'more run')} would execute all`
    : `a deeper search takes up to ${count(runs, 'more run')}, and there are more orders than that`;
  return [`${which} with orders left: ${what}: ${command}`];
}

/** Scenarios and programs of threads have searches of their own. */
function isLeft(test: ReportTest, tests: ReportViews['tests']): boolean {
  const notes = tests[test.id] ?? {};
  const isOwn = notes.spec !== undefined || notes.bounded !== undefined || notes.search !== undefined;
  return !isOwn && stateOf(test, notes) === 'silent';
}

function leftOf(test: ReportTest): { known: number; forced: number }[] {
  const forced = forcedRuns(test);
  const { orders } = test;
  // Where runs were alike an estimate that is not above them says that hardly any is left.
  return orders && !orders.all && orders.count > forced ? [{ known: orders.count, forced }] : [];
}

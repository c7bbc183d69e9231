/** The exit codes: 1 a confirmed bug, 3 something not analysed, 2 wrong usage (see errors.ts), 0 otherwise. */
import type { Report, ReportTest } from '../data/report.ts';
import { type Hidden, headlineBugs, NOTHING_HIDDEN, ofClass } from '../report/hidden.ts';
import { type ReplayView, replayState } from '../report/replay.ts';
import { forcedRuns } from '../report/test-state.ts';
import { isNotAnalysable } from './baseline.ts';

/** Ended by SIGINT, with nothing to report. */
export const INTERRUPTED = 130;

/**
 * The exit code of a report. A bug takes precedence over what could not be analysed. A budget that ended
 * a test changes nothing: the report says what was left. A report without any test never counts as clean. `failOn`:
 * what counts beside races; `known`: tests that are known not to be analysable.
 */
export function exitCodeOf(
  report: Report,
  hidden: Hidden = NOTHING_HIDDEN,
  failOn: readonly 'timing'[] = [],
  known: ReadonlySet<string> = new Set(),
): 0 | 1 | 3 {
  if (headlineBugs(report, hidden).length > 0) return 1;
  if (failOn.includes('timing') && ofClass(report, 'timing', hidden).length > 0) return 1;
  const unseen = report.tests.some(
    (test) => isUnseen(test) && !(known.has(test.id) && isNotAnalysable(test)),
  );
  return unseen || report.tests.length === 0 ? 3 : 0;
}

/** It could not be analysed, no forced run of it could be judged, or one did not end and nobody knows why. */
function isUnseen(test: ReportTest): boolean {
  const { baseline, coverage, verdicts, endless } = test;
  if (baseline !== 'passed' || coverage === null || coverage === 'blind') return true;
  return endless > 0 || (verdicts.unknown > 0 && verdicts.unknown === forcedRuns(test));
}

/** 1 the bug is there, 0 it is gone, 3 cannot tell. */
export function replayExitCode(view: ReplayView): 0 | 1 | 3 {
  return ({ there: 1, gone: 0, unclear: 3 } as const)[replayState(view)];
}

/** The exit codes: 1 a confirmed bug, 3 something not analysed, 2 wrong usage (see errors.ts), 0 otherwise. */
import type { Report, ReportTest } from '../data/report.ts';
import { type Hidden, headlineBugs, NOTHING_HIDDEN, ofClass } from '../report/hidden.ts';
import { type ReplayView, replayState } from '../report/replay.ts';
import { forcedRuns, isUntried } from '../report/test-state.ts';
import { isNotAnalysable } from './baseline.ts';

/** Ended by SIGINT, with nothing to report. */
export const INTERRUPTED = 130;

/**
 * The exit code of a report. A bug takes precedence over what could not be analysed. A budget that ended a test before
 * all was tried changes nothing, as the report says what was left; one that left nothing of it judged does. A report without
 * any test never counts as clean. `failOn`: what counts beside races; `known`: tests that are known not to be analysable;
 * `ended`: the run ended before its work did.
 */
export function exitCodeOf(
  report: Report,
  hidden: Hidden = NOTHING_HIDDEN,
  failOn: readonly 'timing'[] = [],
  known: ReadonlySet<string> = new Set(),
  ended = false,
): 0 | 1 | 3 {
  if (headlineBugs(report, hidden).length > 0) return 1;
  if (failOn.includes('timing') && ofClass(report, 'timing', hidden).length > 0) return 1;
  const unseen = report.tests.some(
    (test) => isUnseen(test, ended) && !(known.has(test.id) && isNotAnalysable(test)),
  );
  return unseen || report.tests.length === 0 ? 3 : 0;
}

/** It could not be analysed, no forced run of it could be judged or was made in time, or one did not end and nobody knows why. */
function isUnseen(test: ReportTest, ended: boolean): boolean {
  const { analysis, baseline, coverage, verdicts, endless, peers } = test;
  if (baseline !== 'passed' || coverage === null || coverage === 'blind') return true;
  if (isUntried(test)) return true;
  // A stage alone, which was not ended, was not to force anything; nor is what talks to servers in other processes.
  if (ended && analysis === 'none' && coverage === 'analysed' && peers.length === 0) return true;
  return endless > 0 || (verdicts.unknown > 0 && verdicts.unknown === forcedRuns(test));
}

/** 1 the bug is there, 0 it is gone, 3 cannot tell. */
export function replayExitCode(view: ReplayView): 0 | 1 | 3 {
  return ({ there: 1, gone: 0, unclear: 3 } as const)[replayState(view)];
}

/** The exit codes: 1 a finding that counts, 3 something not analysed, 2 wrong usage (see errors.ts), 0 otherwise. */
import { countingLists, type FailList } from '../data/fail-on.ts';
import type { Report } from '../data/report.ts';
import { type Hidden, NOTHING_HIDDEN } from '../report/hidden.ts';
import { listOf } from '../report/lists.ts';
import { type ReplayView, replayState } from '../report/replay.ts';
import { isAllElsewhere, unseenAs } from '../report/test-state.ts';

/** Ended by SIGINT, with nothing to report. */
export const INTERRUPTED = 130;

const NOBODY: ReadonlySet<string> = new Set();

export interface Weighing {
  /** Bugs that the user knows. */
  readonly hidden?: Hidden;
  /** Lists that count. */
  readonly counting?: ReadonlySet<FailList>;
  /** Tests that are known not to be analysable. */
  readonly excused?: ReadonlySet<string>;
  /** The run ended before its work did. */
  readonly ended?: boolean;
}

/**
 * The exit code of a report. A finding takes precedence over what could not be analysed. A budget that ended a test before
 * all was tried changes nothing unless asked for, as the report says what was left; one that left nothing of it judged does.
 * A report without any test never counts as clean, nor does one of which all is in other processes.
 */
export function exitCodeOf(
  report: Report,
  { hidden = NOTHING_HIDDEN, counting = countingLists([]), excused = NOBODY, ended = false }: Weighing = {},
): 0 | 1 | 3 {
  if (report.bugs.some((bug) => !hidden.has(bug.id) && counting.has(listOf(bug)))) return 1;
  const isUnseen = report.tests.some((test) => {
    const list = unseenAs(test, ended);
    return list !== null && counting.has(list) && !excused.has(test.id);
  });
  const known = report.tests.filter(({ id }) => !excused.has(id));
  const isNowhere = known.length > 0 && known.every(isAllElsewhere) && counting.has('unjudged');
  return isUnseen || isNowhere || report.tests.length === 0 ? 3 : 0;
}

/** 1 the bug is there, 0 it is gone, 3 cannot tell. */
export function replayExitCode(view: ReplayView): 0 | 1 | 3 {
  return ({ there: 1, gone: 0, unclear: 3 } as const)[replayState(view)];
}

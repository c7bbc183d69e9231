/** What became of a test, in one word, and the mark that stands before it. */
import type { FailList } from '../data/fail-on.ts';
import type { Report, ReportBug, ReportTest } from '../data/report.ts';
import { VERDICTS } from '../data/verdicts.ts';
import type { Style } from './style.ts';
import type { TestNotes } from './view.ts';

export type TestState =
  | 'bug'
  /** All that was confirmed is that its own fixed times are too short. */
  | 'timing'
  | 'red'
  | 'flaky'
  /** It fails here and passes on plain Node. */
  | 'apart'
  | 'unjudged'
  | 'blind'
  /** It talked to a process that nobody allowed to be forced upon. */
  | 'guest'
  /** Every forced run ended without a verdict, or one of them did not end at all. */
  | 'unclear'
  | 'conditional'
  | 'partly'
  | 'recorded'
  | 'predicted'
  | 'silent'
  | 'alone';

/** Lists of tests, not of findings. */
export type UnseenList = Exclude<FailList, 'race' | 'timing' | 'conditional'>;

/** Schedules that were forced. */
export const forcedRuns = ({ verdicts }: Pick<ReportTest, 'verdicts'>): number =>
  VERDICTS.reduce((sum, verdict) => sum + verdicts[verdict], 0);

/** A budget ended it before any order was forced. */
const isUntried = (test: Pick<ReportTest, 'analysis' | 'verdicts'>): boolean =>
  test.analysis === 'partly' && forcedRuns(test) === 0;

/** Some of what it ran nobody judged, or nobody looked into. */
const isPartlySeen = ({ beside, unseen }: Pick<ReportTest, 'beside' | 'unseen'>): boolean =>
  beside.length > 0 || unseen.length > 0;

/** All that it does is in processes of its own, as far as is known: there was nothing to judge. */
export const isAllElsewhere = (test: Pick<ReportTest, 'beside' | 'verdicts'>): boolean =>
  test.beside.some(({ within }) => within) && forcedRuns(test) === 0;

/**
 * The list of those not looked at, or not to the end, that a test is in; null: none. `ended`: the run ended before its
 * work did.
 */
export function unseenAs(test: ReportTest, ended: boolean): UnseenList | null {
  const { analysis, baseline, beside, coverage, verdicts, endless, peers, undecided } = test;
  if (baseline === 'red' || baseline === 'flaky') return baseline;
  if (coverage === 'blind' || beside.some(({ blind }) => blind)) return 'blind';
  if (baseline === null || coverage === null || isUntried(test)) return 'unjudged';
  if (undecided !== null) return 'unjudged';
  const forced = forcedRuns(test);
  // A stage alone, which was not ended, was not to force anything; nor is what talks to servers in other processes.
  if (ended && analysis === 'none' && coverage === 'analysed' && peers.length === 0) return 'unjudged';
  if (endless > 0 || (verdicts.unknown > 0 && verdicts.unknown === forced)) return 'unjudged';
  if (forced === 0 && peers.length > 0) return 'guest';
  return analysis === 'partly' || isPartlySeen(test) ? 'partly' : null;
}

/** Classifies a test for the summary; the first that applies. */
export function stateOf(test: ReportTest, notes: TestNotes, isTiming = false): TestState {
  const { baseline, beside, coverage, verdicts, analysis, endless, undecided } = test;
  const forced = forcedRuns(test);
  if (verdicts.confirmed + verdicts.deadlock > 0) return isTiming ? 'timing' : 'bug';
  if (baseline === null) return 'unjudged';
  if (baseline !== 'passed') return notes.plain?.outcome === 'pass' ? 'apart' : baseline;
  if (coverage === null) return 'unjudged';
  if (coverage === 'blind' || beside.some(({ blind }) => blind)) return 'blind';
  if (undecided !== null || endless > 0 || (forced > 0 && verdicts.unknown === forced)) return 'unclear';
  if (verdicts.conditional > 0) return 'conditional';
  if (coverage === 'no-concurrency') return isPartlySeen(test) ? 'partly' : 'alone';
  if (forced === 0 && notes.peers && notes.peers.length > 0) return 'guest';
  if (isUntried(test)) return 'unjudged';
  if (analysis === 'partly' || (isPartlySeen(test) && analysis === 'complete')) return 'partly';
  if (analysis === 'complete') return 'silent';
  // A stage alone, or a run that was ended: nothing was forced, and where nobody predicted either, nothing is known.
  return test.schedules > 0 || notes.silence ? 'predicted' : 'recorded';
}

/** Tests of whose bugs none is a race. */
export function timingTests({ bugs }: Report): ReadonlySet<string> {
  const of = (which: ReportBug['class']) =>
    new Set(bugs.filter((bug) => bug.conditional === null && bug.class === which).map(({ test }) => test));
  return of('timing').difference(of('race'));
}

/** The green mark is for tests whose analysis is complete. */
export function markOf(state: TestState, { colors }: Style): string {
  if (state === 'bug') return colors.red('✗');
  if (state === 'silent' || state === 'alone') return colors.green('✓');
  if (state === 'timing') return colors.yellow('~');
  if (state === 'partly') return colors.yellow('◐');
  if (state === 'recorded' || state === 'predicted') return colors.dim('·');
  return colors.yellow('!');
}

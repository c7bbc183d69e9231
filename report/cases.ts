/** A test case whose event loop and whose threads were both looked at is one test for its reader. */
import type { ReportTest } from '../data/report.ts';
import type { TestState } from './test-state.ts';

/** The id by which a test is counted. */
export const caseOf = ({ id, partOf }: Pick<ReportTest, 'id' | 'partOf'>): string => partOf ?? id;

/** What a reader has to know of a case first. */
const WORST: readonly TestState[] = [
  ...(['bug', 'timing', 'red', 'flaky', 'apart', 'blind', 'guest', 'unclear', 'unjudged'] as const),
  ...(['conditional', 'partly', 'recorded', 'predicted', 'silent', 'alone'] as const),
];

export const worstOf = (states: readonly TestState[]): TestState =>
  WORST.find((state) => states.includes(state)) ?? 'unjudged';

/** How a test is run by what its recording has shown. */
import type { RunLimits } from '../../data/run.ts';
import type { TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { withLimits } from '../../rescheduler/subjects/with-limits.ts';

/** What a store keeps of such a test. */
export type OwnLimits = Partial<
  Record<'asksAlone' | 'behindOthers' | 'realPace' | 'slowMachine' | 'withChildren', true>
>;

/** Its children ask from their beginning. */
export const ASKS_ALONE = { asksAlone: true } as const satisfies OwnLimits & Partial<RunLimits>;
/** It passes only where what the CPU does takes time. */
export const SLOW_MACHINE = { slowMachine: true } as const satisfies OwnLimits & Partial<RunLimits>;

/** It passes only where its clock goes with those of others: of child processes, of a database. */
export const REAL_PACE = { realPace: true } as const satisfies OwnLimits & Partial<RunLimits>;

/** It passes only behind those before it in its file. */
export const BEHIND_OTHERS = { behindOthers: true } as const satisfies OwnLimits & Partial<RunLimits>;

/** Its children took steps: how long each of them takes is another thing each time, and the natural order with it. */
export const WITH_CHILDREN = { withChildren: true } as const satisfies OwnLimits;

export const tookSteps = ({ children = [] }: Trace): boolean =>
  children.some(({ isJudged, stepped }) => isJudged && stepped.size > 0);

type OfRecipe = Pick<TestRecord, 'recipe'>;

export const asksAlone = ({ recipe }: OfRecipe): boolean => recipe['asksAlone'] === true;
export const hasChildren = (test: OfRecipe): boolean =>
  asksAlone(test) || test.recipe['withChildren'] === true;
export const isSlow = ({ recipe }: OfRecipe): boolean => recipe['slowMachine'] === true;
export const isAtRealPace = ({ recipe }: OfRecipe): boolean => recipe['realPace'] === true;

/** Limits within which it is run, other than all tests are. */
export const limitsOf = (test: OfRecipe): Partial<RunLimits> => ({
  ...(asksAlone(test) && ASKS_ALONE),
  ...(test.recipe['behindOthers'] === true && BEHIND_OTHERS),
  ...(isAtRealPace(test) && REAL_PACE),
  ...(isSlow(test) && SLOW_MACHINE),
});

export function asRecorded(subject: Subject, test: OfRecipe): Subject {
  const own = limitsOf(test);
  return Object.keys(own).length > 0 ? withLimits(subject, own) : subject;
}

/**
 * Scenarios are many, and recording one takes as long as forcing it: each is recorded when its turn comes, so that within a time for
 * all those that are begun come to their end, and what a finding has told already is not recorded at all.
 */
import type { TestRecord } from '../../data/store/index.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import type { StageContext } from './context.ts';
import { recordTest } from './monitor.ts';
import { isPredictable, predictTest } from './predict.ts';
import { familyOf } from './scenarios.ts';

export const isLater = ({ overlaps }: Subject): boolean => overlaps !== undefined;

/** Those that are not recorded yet: of fewer calls first, and each specification in turn, so that no large one keeps others waiting. */
export function recordedLater({ store, subjects }: StageContext): TestRecord[] {
  const familiesOf = new Map<string, string[]>();
  const placed = store.testsToDo('record').flatMap((test) => {
    const { overlaps } = subjects.get(test.id) ?? {};
    if (!overlaps) return [];
    const calls = overlaps.operations.length;
    const key = JSON.stringify([test.file, overlaps.spec, calls]);
    const families = familiesOf.get(key) ?? [];
    const family = familyOf({ file: test.file, overlaps })!;
    familiesOf.set(key, families.includes(family) ? families : [...families, family]);
    return [{ test, calls, place: familiesOf.get(key)!.indexOf(family) }];
  });
  return placed.toSorted((a, b) => a.calls - b.calls || a.place - b.place).map(({ test }) => test);
}

/** Stages 1 and 2 of one test: as it is then, where it is to be forced; null: there is nothing to be forced, or no time. */
export async function recordNow(
  context: StageContext,
  { id }: TestRecord,
  subject: Subject,
): Promise<TestRecord | null> {
  context.tell('recording', subject.name);
  await context.attemptInRest((rest) => recordTest(rest, subject));
  const recorded = context.store.getTest(id);
  if (!recorded || recorded.finished || context.over) return null;
  if (!recorded.predicted && isPredictable(recorded)) predictTest(context, recorded);
  const test = context.store.getTest(id);
  return test?.predicted ? test : null;
}

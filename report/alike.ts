/** Scenarios overlap many operations: what several of them find is often one defect, which is told in full once. */
import type { BugView, ReportViews } from './view.ts';

/** By bug, the one before it that is about the same entity of the same specification. */
export function toldBefore(
  bugs: readonly BugView[],
  { tests }: Pick<ReportViews, 'tests'>,
): Map<string, string> {
  const first = new Map<string, string>();
  const told = new Map<string, string>();
  for (const { bug } of bugs) {
    const { spec } = tests[bug.test] ?? {};
    if (spec === undefined || bug.entity === null) continue;
    const key = JSON.stringify([spec, bug.entity, bug.class, bug.conditional]);
    const before = first.get(key);
    if (before === undefined) first.set(key, bug.id);
    else told.set(bug.id, before);
  }
  return told;
}

/**
 * Scenarios are many, and those of the same operations mostly show one and the same defect: one finding is enough of them. What
 * is about one thing and what is about several are apart: the one may be harmless where the other is not.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Overlaps } from '../../data/scenario.ts';
import type { TestRecord } from '../../data/store/index.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import type { StageContext } from './context.ts';

type Overlapping = Pick<Subject, 'file' | 'overlaps'>;

/** Those of one family take turns, so that the first one finds it in each analysis; null of what is no scenario. */
export function familyOf(subject: Overlapping | undefined): string | undefined {
  if (!subject?.overlaps) return undefined;
  const { spec, operations, keys, sequel } = subject.overlaps;
  return JSON.stringify([
    subject.file,
    spec,
    sequel === null ? [] : sequenceOf(subject.overlaps),
    operations.toSorted(),
    keys,
  ]);
}

/** Scenarios of fewer calls come first: what they find explains what those of more would find. */
export class SmallerFirst {
  private readonly begunBy = new Map<string, { readonly calls: number; readonly over: Promise<unknown> }[]>();

  /** Resolves when those are over that were begun before and are smaller. */
  async before(subject: Overlapping | undefined): Promise<void> {
    const calls = subject?.overlaps?.operations.length ?? 0;
    const known = this.begunBy.get(specOf(subject)) ?? [];
    await Promise.allSettled(known.flatMap((each) => (each.calls < calls ? [each.over] : [])));
  }

  begun(subject: Overlapping | undefined, over: Promise<unknown>): Promise<unknown> {
    if (subject?.overlaps) {
      const spec = specOf(subject);
      const calls = subject.overlaps.operations.length;
      this.begunBy.set(spec, [...(this.begunBy.get(spec) ?? []), { calls, over }]);
    }
    return over;
  }
}

const specOf = (subject: Overlapping | undefined): string =>
  JSON.stringify([subject?.file, subject?.overlaps?.spec]);

/** Leaves a scenario out where a part of its operations has a finding, and notes that there. */
export function isTold(context: StageContext, test: TestRecord, subject: object): boolean {
  const own = subject as Overlapping;
  if (!own.overlaps) return false;
  const { store } = context;
  const found = store.bugs().find(({ report }) => {
    const other = context.overlapping(report.test);
    return (
      report.test !== test.id && report.conditional === null && other !== undefined && isPart(other, own)
    );
  });
  if (!found) return false;
  const { test: told } = found.report;
  context.note(told, { likewise: (context.notes.get(told)?.likewise ?? 0) + 1 });
  store.removeTest(test.id);
  return true;
}

/** All that overlaps in the one overlaps in the other. */
function isPart(one: Overlapping, other: Overlapping): boolean {
  if (!one.overlaps || one.file !== other.file || one.overlaps.spec !== other.overlaps?.spec) return false;
  const { operations, keys, sequel } = one.overlaps;
  if (other.overlaps.operations.length === operations.length && keys !== other.overlaps.keys) return false;
  if (sequel !== null) return isDeepStrictEqual(sequenceOf(one.overlaps), sequenceOf(other.overlaps));
  return overlapping(other.overlaps).some((all) => {
    const left = [...all];
    return operations.every((operation) => {
      const at = left.indexOf(operation);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  });
}

/** What overlaps in it: of calls that follow each other each with the others. */
function overlapping({ operations, sequel }: Overlaps): (readonly string[])[] {
  if (sequel === null) return [operations];
  return [operations.toSpliced(sequel, 1), operations.toSpliced(sequel - 1, 1)];
}

/** Those that follow each other, and those beside them; null: each is a task of its own. */
const sequenceOf = ({ operations, sequel }: Overlaps): readonly (readonly string[])[] | null =>
  sequel === null ? null : [operations.slice(sequel - 1, sequel + 1), operations.toSpliced(sequel - 1, 2)];

/** What overlaps of that which the tests of a command have done one behind the other. */

import type { PlannedOverlap } from '../../data/overlap.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import type { Oracle } from '../scenarios/oracle.ts';
import { BrokenFile } from '../subjects/broken-file.ts';
import type { CaseId, CaseRecord, Recipe } from '../subjects/job.ts';
import type { Subject } from '../subjects/protocol.ts';
import type { WarmPool } from '../subjects/warm-pool.ts';
import { plannedOf } from './kinds.ts';
import { HeldSubject, oracleOf } from './subject.ts';

/** So many pairs of a file are executed. */
const MOST_PAIRS = 40;

/** Pairs that do the same behind the same setup are one. Tests that fail by themselves say nothing of what overlaps. */
export function heldSubjects(
  cases: readonly CaseRecord[],
  aloneOf: (recorded: CaseRecord) => Recipe,
  placeOf: (id: CaseId, recipe: Recipe) => string,
  config: LoaderConfig,
  pool: WarmPool,
): Subject[] {
  // Tests that are written in one file may be registered by several.
  const files = Map.groupBy(cases, (recorded) => aloneOf(recorded).argv[0]);
  return [...files.values()].flatMap((ofFile): Subject[] => {
    const failed = ofFile.filter(({ result }) => result.outcome !== 'pass');
    const shapes = new Set<string>();
    /** The same may come behind something else. */
    const seen = new Map<string, number>();
    const pairs = ofFile.flatMap((recorded) => {
      if (failed.includes(recorded)) return [];
      return plannedOf(recorded.log!).flatMap((planned) => {
        if (shapes.has(planned.shape)) return [];
        shapes.add(planned.shape);
        return [{ ...planned, recorded }];
      });
    });
    const oracles = new Map<string, Oracle>();
    const [first] = failed;
    return [
      ...variedFirst(pairs).map(({ recorded, plan, name, keys, group }) => {
        const { runner, id } = recorded;
        const place = placeOf(id, recorded.recipe);
        const key = JSON.stringify([id, name]);
        const ordinal = (seen.get(key) ?? 0) + 1;
        seen.set(key, ordinal);
        const told = ordinal === 1 ? name : `${name} (${ordinal})`;
        const serial = JSON.stringify([id, group]);
        const oracle = oracles.get(serial) ?? oracleOf(plan);
        oracles.set(serial, oracle);
        const of = { runner, id, recipe: aloneOf(recorded), plan, keys, told, place, oracle };
        return new HeldSubject(of, config, pool);
      }),
      ...(first ? [new BrokenFile({ ...aloneOf(first), argv: [first.id.file] }, config, whyOf(failed))] : []),
    ];
  });
}

type FoundPair = PlannedOverlap & { readonly recorded: CaseRecord };

/** As many as are executed: of what many tests do, once each before any of it twice. One pair begins in several ways. */
function variedFirst(pairs: readonly FoundPair[]): FoundPair[] {
  const byGroup = Map.groupBy(pairs, ({ recorded: { id }, group }) => JSON.stringify([id, group]));
  const times = new Map<string, number>();
  const groups = [...byGroup.values()].map((group) => {
    const [{ plan, keys }] = group as [FoundPair];
    const operations = plan.calls.map(({ operation }) => operation).sort();
    const like = JSON.stringify([operations, keys]);
    const nth = times.get(like) ?? 0;
    times.set(like, nth + 1);
    return { group, nth };
  });
  return groups
    .sort((a, b) => a.nth - b.nth)
    .slice(0, MOST_PAIRS)
    .flatMap(({ group }) => group);
}

function whyOf(failed: readonly CaseRecord[]): string {
  const [{ id, result }] = failed as [CaseRecord];
  const more = failed.length > 1 ? ` (and ${failed.length - 1} more)` : '';
  return `'${id.name}' fails although nothing overlaps${more}: ${result.failure?.message.split('\n', 1)[0] ?? ''}`;
}

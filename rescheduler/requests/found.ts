/** What overlaps of the requests that the tests of a command have sent. */
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { BrokenFile } from '../subjects/broken-file.ts';
import type { CaseId, CaseRecord, Recipe } from '../subjects/job.ts';
import type { Subject } from '../subjects/protocol.ts';
import type { WarmPool } from '../subjects/warm-pool.ts';
import { plannedRequests } from './plan.ts';
import { RequestsSubject } from './subject.ts';

/** So many pairs of requests of a file are executed. */
const MOST_PAIRS = 40;

/** Pairs that do the same behind the same setup are one. Tests that fail by themselves say nothing of what overlaps. */
export function requestSubjects(
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
    /** The same requests may come behind different ones. */
    const seen = new Map<string, number>();
    const pairs = ofFile.flatMap((recorded) => {
      if (failed.includes(recorded)) return [];
      return plannedRequests(recorded.exchanges ?? []).flatMap((planned) => {
        if (shapes.has(planned.shape)) return [];
        shapes.add(planned.shape);
        return [{ ...planned, recorded }];
      });
    });
    const [first] = failed;
    return [
      ...pairs.slice(0, MOST_PAIRS).map(({ recorded, plan, name, keys }) => {
        const { runner, id } = recorded;
        const place = placeOf(id, recorded.recipe);
        const key = JSON.stringify([id, name]);
        const ordinal = (seen.get(key) ?? 0) + 1;
        seen.set(key, ordinal);
        const told = ordinal === 1 ? name : `${name} (${ordinal})`;
        const of = { runner, id, recipe: aloneOf(recorded), plan, keys, told, place };
        return new RequestsSubject(of, config, pool);
      }),
      ...(first ? [new BrokenFile({ ...aloneOf(first), argv: [first.id.file] }, config, whyOf(failed))] : []),
    ];
  });
}

function whyOf(failed: readonly CaseRecord[]): string {
  const [{ id, result }] = failed as [CaseRecord];
  const more = failed.length > 1 ? ` (and ${failed.length - 1} more)` : '';
  return `'${id.name}' fails although nothing overlaps${more}: ${result.failure?.message.split('\n', 1)[0] ?? ''}`;
}

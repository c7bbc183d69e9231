/** The same for a harness of threads: three places, a cut point or which lock or edge forbids it. */
import { collectThreadEvents, type Store, type TestRecord } from '../../../data/store/index.ts';
import { isAccess, Op } from '../../../data/threads/trace.ts';
import { nearOccurrences, type Occurrence } from '../../../predictor/threads/occurrences.ts';
import type { InspectTriple } from '../../../report/triple.ts';
import { detailOf } from '../../std/detail.ts';
import { Frames } from '../../std/frames.ts';
import { inMemorySource } from '../../std/source.ts';
import { isAt, MOST_TRIPLES } from '../why.ts';

export function threadTriplesOf(
  store: Store,
  test: TestRecord,
  places: readonly [string, string, string],
): InspectTriple[] {
  const stored = store.getThreadTrace(test.id);
  if (!stored) return [];
  const trace = { events: collectThreadEvents(stored), names: stored.names() };
  const { events, names } = trace;
  const [first, remote, second] = places.map((place) => {
    const points = new Set([...names.points.keys()].filter((point) => isAt(names.points[point]!, place)));
    return (event: number): boolean => points.has(events.point[event]!);
  }) as [(event: number) => boolean, (event: number) => boolean, (event: number) => boolean];
  const isWanted = (o: Occurrence): boolean => first(o.first) && remote(o.remote) && second(o.second);
  // Accesses elsewhere are looked past: there may be millions of them.
  const op = events.op.map((kind, event) =>
    isAccess(kind) && !(first(event) || remote(event) || second(event)) ? Op.Send : kind,
  );
  const frames = new Frames(inMemorySource(trace));
  return [
    ...nearOccurrences({ ...events, op })
      .filter(isWanted)
      .take(MOST_TRIPLES),
  ].map((triple) => {
    const { pattern, entity, verdict, why, ...detail } = detailOf(frames.of(triple), triple);
    const access = (role: 'first' | 'remote' | 'second') => ({
      task: detail[role].thread,
      access: events.op[triple[role]] === Op.Write ? ('write' as const) : ('read' as const),
      at: detail[role].location,
    });
    return {
      testTitle: `${test.file} › ${test.name}`,
      ...{ pattern, entity, verdict, why },
      ...{ first: access('first'), remote: access('remote'), second: access('second') },
    };
  });
}

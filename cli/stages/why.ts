/** `unweave inspect a.ts:3-b.ts:7-a.ts:5`: three places of the sources, a cut point or why not. */
import type { LoopOptions } from '../../data/feasibility/rules.ts';
import type { Store, TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import { accessPoint } from '../../predictor/cut-point.ts';
import { type Triple, type Why, why } from '../../predictor/why.ts';
import type { InspectTriple } from '../../report/triple.ts';

/** First, remote and second access. */
const PLACES = /^(\S+?:\d+(?::\d+)?)-(\S+?:\d+(?::\d+)?)-(\S+?:\d+(?::\d+)?)$/;
/** Triples of one test that are shown: the same lines may run many times. */
export const MOST_TRIPLES = 20;

/** The places that a filter names; null: it is another filter. */
export function placesOf(filter: string): readonly [string, string, string] | null {
  const found = PLACES.exec(filter);
  return found ? [found[1]!, found[2]!, found[3]!] : null;
}

/** Whether a place (`src/bank.ts:12:5`) is one that was asked for: with or without column, the end of the path. */
export function isAt(at: string, asked: string): boolean {
  const withColumn = /:\d+:\d+$/.test(asked);
  const place = withColumn ? at : at.replace(/:\d+$/, '');
  return place === asked || place.endsWith(`/${asked}`);
}

export function triplesOf(
  store: Store,
  test: TestRecord,
  trace: Trace,
  places: readonly [string, string, string],
  loop: Partial<LoopOptions>,
): InspectTriple[] {
  const at = (event: number): string => {
    const site = trace.sites[trace.events.site[event]!];
    return site ? `${site.file}:${site.line}:${site.column}` : '';
  };
  const wanted = ({ first, remote, second }: Triple): boolean =>
    [first, remote, second].every((event, i) => isAt(at(event), places[i]!));
  const cutPoints = store.getCutPoints(test.id);
  return why(trace, loop, wanted, MOST_TRIPLES).map(({ why, ...triple }) => {
    const point = (event: number) => {
      const { access, task } = accessPoint(trace, event);
      return { task, access, at: at(event) };
    };
    const own = cutPoints.find(
      (c) =>
        c.first.event === triple.first &&
        c.remote.event === triple.remote &&
        c.second.event === triple.second,
    );
    return {
      testTitle: `${test.file} › ${test.name}`,
      pattern: triple.pattern,
      entity: trace.entities[trace.events.object[triple.first]!]?.name ?? '?',
      first: point(triple.first),
      remote: point(triple.remote),
      second: point(triple.second),
      verdict: why.kind === 'reachable' ? 'reachable' : why.kind === 'no order' ? 'undecided' : 'unreachable',
      why: [sentence(why), ...(own ? [`cut point ${own.id}`] : [])],
    };
  });
}

function sentence(why: Why): string {
  switch (why.kind) {
    case 'reachable':
      return 'some order of host answers brings the remote access between the two';
    case 'lock':
      return `both hold ${why.lock}`;
    case 'crossed locks':
      return 'their locks are taken crosswise';
    case 'one turn':
      return 'nothing comes between two accesses of one turn';
    case 'no order':
      return 'no feasible order of host answers separates them, as far as was looked';
    case 'order': {
      const what = why.cause ? `${why.cause.api} ${why.cause.what}`.trim() : null;
      const cause = what
        ? `: what waits for ${what} comes later`
        : ': the program goes on from one to the other';
      return why.remote === 'after-second'
        ? `in every order the remote access comes after the second one${cause}`
        : `in every order the remote access comes before the first one${cause}`;
    }
  }
}

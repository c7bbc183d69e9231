/**
 * Orders in which a task looks at a path that comes and goes, as a lock file does, and finds it there where it was not in the recorded
 * run, or the other way round. What it does next is then hardly what was recorded (the recorded control flow is taken for granted,
 * Penelope §3): such an order is forced late. A file that is made once is none: who comes before it is made does what it does there first.
 */
import { EventKind, type Trace } from '../data/trace.ts';
import { type Candidate, NOTHING } from './candidates.ts';
import type { Branch, Trunk } from './replay/trunk.ts';
import type { Transactions } from './transactions.ts';

/** Asks of an order that shows a candidate whether one of its tasks finds another answer on the way to it. */
export function otherAnswers(
  trace: Trace,
  trunk: Trunk,
  tx: Transactions,
): (candidate: Candidate, order: Branch) => boolean {
  const { activation, kind, length, object } = trace.events;
  const changes = changesOf(trace);
  if (changes.size === 0) return () => false;
  const paths = new Set(changes.keys().map((event) => object[event] as number));
  const strandOf = (event: number): number => tx.strandOf(activation[event] as number);
  /** Goes on by one event; tells what is found by a look. */
  const follow = (event: number, there: Set<number>): boolean | null => {
    const path = object[event] as number;
    const makes = changes.get(event);
    if (makes === true) there.add(path);
    else if (makes === false) there.delete(path);
    return kind[event] === EventKind.Read && paths.has(path) ? there.has(path) : null;
  };
  const recorded = new Set<number>();
  const found = Array.from({ length }, (_, event) => follow(event, recorded));

  return ({ first, remote, second }, { from, tail }) => {
    const replay = trunk.seek(from);
    const mark = replay.mark();
    for (const step of tail) replay.take(step);
    const tasks = new Set([first, remote, second].filter((event) => event !== NOTHING).map(strandOf));
    const there = new Set<number>();
    let isOther = false;
    for (const event of replay.sequence.subarray(0, replay.moment(second) - 1)) {
      // The three themselves may find what they like, and so may the look of an operation that then writes.
      const isAsked =
        event !== first && event !== remote && event + 1 !== second && tasks.has(strandOf(event));
      const is = follow(event, there);
      if (isAsked && is !== null && is !== found[event]) isOther = true;
    }
    replay.undo(mark);
    return isOther;
  };
}

/**
 * By each access that writes the name of a path which is taken away in the run, whether the path is there behind it. Not of those over
 * which others are moved: they may have been there before.
 */
function changesOf({ entities, events, requests }: Trace): ReadonlyMap<number, boolean> {
  const { kind, length, object } = events;
  const writes = new Map<number, { event: number; makes: boolean }[]>();
  const moved = new Set<number>();
  let api = '';
  for (let event = 0; event < length; event++) {
    const of = object[event] as number;
    if (kind[event] === EventKind.Effect || kind[event] === EventKind.Turn) api = requests[of]?.api ?? '';
    const entity = entities[of];
    if (kind[event] !== EventKind.Write || !entity || !isPath(entity)) continue;
    const makes = !/^fs\.(unlink|rm)/.test(api);
    writes.set(of, [...(writes.get(of) ?? []), { event, makes }]);
    if (api.startsWith('fs.rename')) moved.add(of);
  }
  const goes = [...writes].filter(([path, list]) => !moved.has(path) && list.some(({ makes }) => !makes));
  return new Map(goes.flatMap(([, list]) => list.map(({ event, makes }) => [event, makes] as const)));
}

/** What says whether a path is there, which neither what is in a file nor what is in a folder does. */
const isPath = ({ kind, name }: Trace['entities'][number]): boolean =>
  kind === 'resource' && name.startsWith('fs:') && !name.endsWith(')');

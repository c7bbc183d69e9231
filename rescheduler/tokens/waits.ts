/** Who waits for whom at the end of an execution that cannot go on. */
import { Op } from '../../data/threads/trace.ts';
import type { Named } from '../../monitor/threads/trace.ts';
import type { WaitingThread } from './left.ts';
import { OTHERS } from './loop-holder.ts';

const WHAT: Readonly<Record<number, string>> = {
  [Op.Acquire]: 'for',
  [Op.AcquireShared]: 'to read',
  [Op.Receive]: 'for a signal of',
  [Op.Leave]: 'for the others at',
  [Op.Send]: 'to send to',
};

/** One line for each thread that waits. `placeOf`: a point's place in the source. */
export function waitsOf(
  named: Named,
  waiting: readonly WaitingThread[],
  placeOf: (point: number) => string,
): string[] {
  const { threads } = named.trace.names;
  const holders = holdersOf(named);
  return waiting.map(({ thread, operation, place, address, point }) => {
    if (address === OTHERS) {
      const at = point > 0 ? ` at ${placeOf(point)}` : '';
      return `${threads[thread]} waits for other threads${at}: nothing is left in its event loop`;
    }
    if (operation < 0) return `${threads[thread]} waits at ${named.nameOf(address)}`;
    const who = (holders.get(place) ?? []).filter((each) => each !== thread);
    const held = who.length > 0 ? `, held by ${who.map((each) => threads[each]).join(' and ')}` : '';
    return `${threads[thread]} waits ${WHAT[operation] ?? 'at'} ${lockName(named, place)}${held} (${placeOf(point)})`;
  });
}

function lockName({ locks, nameOf, trace }: Named, address: number): string {
  const at = locks.indexOf(address);
  return at < 0 ? nameOf(address) : trace.names.locks[at]!;
}

/** Threads that hold each lock at the end, by its address. */
function holdersOf({ locks, trace: { events } }: Named): Map<number, number[]> {
  const depth = locks.map(() => new Map<number, number>());
  for (let i = 0; i < events.length; i++) {
    const change = CHANGE[events.op[i]!] ?? 0;
    if (change === 0) continue;
    const of = depth[events.object[i]!]!;
    of.set(events.thread[i]!, (of.get(events.thread[i]!) ?? 0) + change);
  }
  return new Map(
    locks.map((address, at) => [
      address,
      [...depth[at]!].filter(([, held]) => held > 0).map(([thread]) => thread),
    ]),
  );
}

const CHANGE: Readonly<Record<number, number>> = {
  [Op.Acquire]: 1,
  [Op.AcquireShared]: 1,
  [Op.Release]: -1,
  [Op.ReleaseShared]: -1,
};

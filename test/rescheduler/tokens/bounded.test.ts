/** All orders with at most so many preemptions, each once: those of programs whose orders can be counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedOrders } from '../../../rescheduler/tokens/bounded.ts';

/** Who takes each step: as granted, and then nobody is preempted; null: a grant is more than is left. */
function executed(steps: readonly number[], grants: readonly number[]): number[] | null {
  const left = [...steps];
  const taken: number[] = [];
  let current = 0;
  for (let at = 0; at < grants.length; at += 2)
    for (let step = 0; step < grants[at + 1]!; step++) {
      current = grants[at]!;
      if (--left[current]! < 0) return null;
      taken.push(current);
    }
  while (left.some((each) => each > 0)) {
    if (left[current] === 0) current = left.findIndex((each) => each > 0);
    left[current]! -= 1;
    taken.push(current);
  }
  return taken;
}

const grantsOf = (taken: readonly number[]): number[] => taken.flatMap((thread) => [thread, 1]);

/** How many preemptions an order has: its thread had steps left. */
const preemptionsOf = (taken: readonly number[]): number =>
  taken.filter((thread, at) => at > 0 && thread !== taken[at - 1] && taken.includes(taken[at - 1]!, at))
    .length;

function interleavings(left: readonly number[]): number[][] {
  if (left.every((each) => each === 0)) return [[]];
  return left.flatMap((each, thread) =>
    each === 0 ? [] : interleavings(left.with(thread, each - 1)).map((rest) => [thread, ...rest]),
  );
}

for (const steps of [
  [1, 1],
  [3, 3],
  [4, 2],
  [2, 2, 2],
  [3, 1, 2],
])
  for (const most of [0, 1, 2])
    test(`threads of ${steps.join(', ')} steps, ${most} preemptions`, () => {
      const found = [executed(steps, [])!];
      const orders = boundedOrders(grantsOf(found[0]!), steps.length, most);
      for (let next = orders.next(); !next.done; ) {
        const taken = executed(steps, next.value);
        if (taken) found.push(taken);
        next = orders.next(taken && grantsOf(taken));
      }
      const wanted = interleavings(steps).filter((taken) => preemptionsOf(taken) <= most);
      assert.deepEqual(found.map(String).sort(), wanted.map(String).sort());
      const levels = found.map(preemptionsOf);
      assert.deepEqual(levels.slice(1), levels.slice(1).toSorted());
    });

/** Compares prediction with enumeration over many generated programs, and sums up. */
import { Mutex } from 'async-mutex';
import pLimit from 'p-limit';
import { compare, type Odd } from './compare.ts';
import { generate } from './generate.ts';
import { compile } from './run.ts';

export interface Study {
  programs: number;
  /** Programs whose observed run does not pass (a signal that is never opened): nothing to compare. */
  skipped: number;
  complete: number;
  medianOrders: number;
  withPattern: number;
  reachable: number;
  predicted: number;
  missed: number;
  unreachable: number;
  /** Predicted orders that the gate followed, and those of them that no enumeration knows. */
  followed: number;
  impossible: number;
  unfaithful: number;
  /** How often each class of disagreement occurred; see classify.ts. */
  readonly whyMissed: Record<string, number>;
  readonly whyUnreachable: Record<string, number>;
  readonly odd: { seed: number; missed: readonly Odd[]; unreachable: readonly Odd[] }[];
}

/** `maxOrders` bounds the enumeration of one program. */
export async function study(from: number, count: number, maxOrders: number): Promise<Study> {
  const sum: Study = {
    programs: 0,
    skipped: 0,
    complete: 0,
    medianOrders: 0,
    withPattern: 0,
    reachable: 0,
    predicted: 0,
    missed: 0,
    unreachable: 0,
    followed: 0,
    impossible: 0,
    unfaithful: 0,
    whyMissed: {},
    whyUnreachable: {},
    odd: [],
  };
  const orders: number[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const found = await compare(compile(generate(seed), { Mutex, pLimit }), maxOrders);
    if (!found) {
      sum.skipped += 1;
      continue;
    }
    sum.programs += 1;
    sum.complete += found.complete ? 1 : 0;
    sum.withPattern += found.reachable > 0 ? 1 : 0;
    sum.reachable += found.reachable;
    sum.predicted += found.predicted;
    sum.missed += found.missed.length;
    sum.unreachable += found.unreachable.length;
    sum.followed += found.followed;
    sum.impossible += found.impossible.length;
    sum.unfaithful += found.faithful ? 0 : 1;
    orders.push(found.orders);
    const { missed, unreachable } = found;
    for (const { why } of missed) sum.whyMissed[why] = (sum.whyMissed[why] ?? 0) + 1;
    for (const { why } of unreachable) sum.whyUnreachable[why] = (sum.whyUnreachable[why] ?? 0) + 1;
    if (missed.length + unreachable.length > 0) sum.odd.push({ seed, missed, unreachable });
  }
  orders.sort((a, b) => a - b);
  sum.medianOrders = orders[orders.length >> 1] ?? 0;
  return sum;
}

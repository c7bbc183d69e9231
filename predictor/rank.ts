/** How soon a schedule is tried: what makes a triple likely to be a bug that matters, with the reasons. */
import type { Trace } from '../data/trace.ts';
import type { Candidate } from './candidates.ts';
import type { Order } from './synthesize.ts';

export interface Ranked {
  readonly score: number;
  readonly reasons: readonly string[];
}

export function rank(trace: Trace, candidate: Candidate, order: Order): Ranked {
  const reasons: string[] = [];
  let score = 0;
  const add = (points: number, reason: string): void => {
    score += points;
    reasons.push(`${reason} (${points > 0 ? '+' : ''}${points})`);
  };
  const { first, remote, second, pattern, entity } = candidate;
  const siteOf = (event: number): number => trace.events.site[event] as number;
  const fn = (event: number): string => {
    const site = trace.sites[siteOf(event)];
    return site ? `${site.file}:${site.fn}` : '';
  };
  if (pattern === 'RWW') add(3, 'read, then written by both');
  else if (pattern === 'RWR') add(1, 'read twice around a write');
  if (fn(first) !== '' && fn(first) === fn(remote)) add(2, 'one function run by two tasks');
  if (siteOf(remote) === siteOf(second) || siteOf(remote) === siteOf(first))
    add(1, 'same statement in both tasks');
  if (trace.entities[entity]?.kind !== 'resource') add(1, 'state of the program itself');
  if (order.clock > 0) add(-Math.min(3, Math.ceil(order.clock / 200)), 'needs time to pass');
  if (order.moves > 1) add(-Math.min(2, Math.round(order.moves / 4)), 'many moves');
  const span = second - first;
  if (span < 30) add(1, 'accesses close together');
  return { score, reasons };
}

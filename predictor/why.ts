/** Whether three accesses of a recorded run can be brought between one another, or what keeps them apart. */
import type { LoopOptions } from '../data/feasibility/rules.ts';
import { PATTERNS, type Pattern } from '../data/prediction.ts';
import type { Trace } from '../data/trace.ts';
import { type Candidate, candidates } from './candidates.ts';
import { type Causality, causality } from './causality.ts';
import { exploreAbstractly } from './explore.ts';
import { Holds } from './holds.ts';
import { compatible, lockStates } from './locksets.ts';
import { buildProgram, type Program } from './program.ts';
import { Trunk } from './replay/trunk.ts';
import { excludes, sections } from './sections.ts';
import { Synthesis } from './synthesize.ts';
import { transactions } from './transactions.ts';

export interface Triple {
  readonly pattern: Pattern;
  /** Event indices. */
  readonly first: number;
  readonly remote: number;
  readonly second: number;
}

export type Why =
  | { readonly kind: 'reachable' }
  /** Both sections of the lock would overlap. */
  | { readonly kind: 'lock'; readonly lock: string }
  | { readonly kind: 'crossed locks' }
  /** `cause`: the nearest request that the later one waits for; null: the program itself goes on from one to the other. */
  | {
      readonly kind: 'order';
      readonly remote: 'before-first' | 'after-second';
      readonly cause: { readonly api: string; readonly what: string } | null;
    }
  | { readonly kind: 'one turn' }
  /** No order of host answers was found that separates them. */
  | { readonly kind: 'no order' };

/** The triples (`second` the next read or write after `first`) that are `wanted`, at most `limit`, with the answer. */
export function why(
  trace: Trace,
  loop: Partial<LoopOptions>,
  wanted: (triple: Triple) => boolean,
  limit: number,
): (Triple & { readonly why: Why })[] {
  const program = buildProgram(trace);
  const order = causality(program);
  const tx = transactions(trace.activations);
  const known = new Set<string>(PATTERNS);
  const triples: Triple[] = [];
  candidates(trace, order.before, tx, (first, remote, second, pattern) => {
    const triple = { pattern: pattern as Pattern, first, remote, second };
    if (known.has(pattern) && triples.length < limit && wanted(triple)) triples.push(triple);
    return false;
  });
  const locksAt = lockStates(trace, (a) => tx.taskOf(a));
  const around = sections(trace, order.before, (a) => tx.taskOf(a));
  const trunk = new Trunk(program, loop);
  const reaches = (triple: Triple): boolean => {
    const candidate = { ...triple, entity: trace.events.object[triple.first]!, transaction: -1, group: '' };
    const synthesis = new Synthesis(trunk, new Holds(program, order), around);
    synthesis.search([candidate]);
    if (synthesis.found.has(candidate)) return true;
    return exploreAbstractly(trunk, [candidate], false).orders.has(candidate as Candidate);
  };
  const answer = (triple: Triple): Why => {
    const { first, remote, second } = triple;
    if (order.before(remote, first))
      return { kind: 'order', remote: 'before-first', cause: causeOf(program, order, remote, first) };
    if (order.before(second, remote))
      return { kind: 'order', remote: 'after-second', cause: causeOf(program, order, second, remote) };
    const lock = trace.locks[excludes(around, first, remote, second)];
    if (lock) return { kind: 'lock', lock: lock.name };
    if (order.oneTurn(first, remote, second)) return { kind: 'one turn' };
    if (reaches(triple)) return { kind: 'reachable' };
    return { kind: compatible(locksAt(first), locksAt(remote)) ? 'no order' : 'crossed locks' };
  };
  return triples.map((triple) => ({ ...triple, why: answer(triple) }));
}

/** The last request on the way from one event to another that it causes. */
function causeOf(
  { jobs, nodeOf, trace }: Program,
  order: Causality,
  from: number,
  to: number,
): { api: string; what: string } | null {
  const start = nodeOf[from]!;
  const seen = new Set<number>();
  for (let node = nodeOf[to]!; node !== start && !seen.has(node); ) {
    seen.add(node);
    const request = trace.requests[node - jobs.length];
    if (request) return { api: request.api, what: request.what };
    const before = order.predecessors(node).find((each) => each === start || order.precedes(start, each));
    if (before === undefined) return null;
    node = before;
  }
  return null;
}

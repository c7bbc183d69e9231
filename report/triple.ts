/** Three accesses that somebody asked about: a cut point, or what keeps them apart. */
import type { Shape } from '../data/prediction.ts';
import { MARKS } from './ink.ts';

interface TripleAccess {
  readonly task: string;
  readonly access: 'read' | 'write';
  /** `src/bank.ts:12:5`. */
  readonly at: string;
}

export interface InspectTriple {
  readonly testTitle: string;
  readonly pattern: Shape;
  readonly entity: string;
  readonly first: TripleAccess;
  readonly remote: TripleAccess;
  readonly second: TripleAccess;
  readonly verdict: 'reachable' | 'unreachable' | 'undecided';
  /** In sentences. */
  readonly why: readonly string[];
}

/** As lines. */
export function renderTriple(triple: InspectTriple): string[] {
  const { entity, pattern, testTitle, verdict, why } = triple;
  const roles = ['first', 'remote', 'second'] as const;
  return [
    `${pattern} on ${entity}: ${verdict}`,
    `  ${testTitle}`,
    ...roles.map(
      (role) => `  ${MARKS[role]} ${triple[role].task} ${triple[role].access}s at ${triple[role].at}`,
    ),
    ...why.map((line) => `  ${line}`),
  ];
}

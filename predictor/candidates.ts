/**
 * Candidate triples: two accesses of one transaction to one entity and a remote access that would break
 * them (Penelope §2). `second` is the next read or the next write after `first` in the transaction: one gap
 * record per access and kind, since pairing only with the last read and write loses patterns.
 */

import { SHAPES, type Shape } from '../data/prediction.ts';
import type { Trace } from '../data/trace.ts';
import { EventKind } from '../data/trace.ts';
import type { Causality } from './causality.ts';
import { hostSteps } from './host-steps.ts';
import type { Transactions } from './transactions.ts';

export interface Candidate {
  readonly pattern: Shape;
  readonly entity: number;
  /** Event indices. */
  readonly first: number;
  readonly remote: number;
  readonly second: number;
  /** The activation that is the transaction. */
  readonly transaction: number;
  /** Same entity, pattern and program points: one representative per pair of tasks is kept. */
  readonly group: string;
  /** Of two variables that have to agree: the entity that `second` is about, and the remote access to it. Absent: there is one. */
  readonly other?: { readonly entity: number; readonly remote: number };
  /** Two accesses alone, `remote` and `second`: `first` is {@link NOTHING}, and no pattern tells of them. */
  readonly isPair?: true;
}

/** The first access of what has two. */
export const NOTHING = -1;

export interface CandidateStats {
  /** Triples looked at. */
  pairs: number;
  /** Triples that some causal order forbids. */
  ordered: number;
  sharedEntities: number;
}

/** Accesses of one entity beyond this are sampled evenly: completeness is lost, never soundness. */
const MAX_ACCESSES = 600;
/** Representatives of one group. */
const PER_GROUP = 12;

const isShape = new Set<string>(SHAPES);

export function candidates(
  trace: Trace,
  before: Causality['before'],
  tx: Transactions,
  /** Further restriction on a triple of events; `undone` is the default. */
  wanted: (first: number, remote: number, second: number, pattern: string) => boolean = undone,
): { list: Candidate[]; stats: CandidateStats } {
  const stats: CandidateStats = { pairs: 0, ordered: 0, sharedEntities: 0 };
  const list: Candidate[] = [];
  const perGroup = new Map<string, Set<string>>();
  const letter = (event: number): string => (trace.events.kind[event] === EventKind.Write ? 'W' : 'R');
  const activation = (event: number): number => trace.events.activation[event] as number;
  const steps = hostSteps(trace);
  // One call of the program may be several steps of the host, each with effects of its own.
  const pointOf = (event: number): string => `${trace.events.site[event]}/${steps.get(event) ?? ''}`;

  for (const accesses of sharedAccesses(trace, tx, stats)) {
    for (let i = 0; i < accesses.length; i++) {
      const first = accesses[i] as number;
      let read = false;
      let write = false;
      for (let j = i + 1; j < accesses.length && !(read && write); j++) {
        const second = accesses[j] as number;
        const kind = letter(second);
        if (kind === 'R' ? read : write) continue;
        const transaction = tx.common(activation(first), activation(second));
        if (transaction < 0 || !before(first, second)) continue;
        if (kind === 'R') read = true;
        else write = true;
        for (const remote of accesses) {
          const pattern = letter(first) + letter(remote) + kind;
          if (!isShape.has(pattern) || tx.within(activation(remote), transaction)) continue;
          if (!wanted(first, remote, second, pattern)) continue;
          stats.pairs += 1;
          if (before(remote, first) || before(second, remote)) {
            stats.ordered += 1;
            continue;
          }
          const entity = trace.events.object[first] as number;
          const group = `${pattern}|${trace.entities[entity]?.name}|${pointOf(first)}|${pointOf(remote)}|${pointOf(second)}`;
          const pair = `${transaction}|${tx.strandOf(activation(remote))}`;
          let pairs = perGroup.get(group);
          if (!pairs) perGroup.set(group, (pairs = new Set()));
          if (pairs.has(pair) || pairs.size >= PER_GROUP) continue;
          pairs.add(pair);
          list.push({ pattern: pattern as Shape, entity, first, remote, second, transaction, group });
        }
      }
    }
  }
  return { list, stats };
}

/** Only a read that came too late to see the old value can be flipped. */
function undone(_first: number, remote: number, second: number, pattern: string): boolean {
  return pattern !== 'RRW' || remote > second;
}

/** Escape analysis (Penelope §4): accesses of each entity that at least two strands touch and one writes, in their order. */
export function sharedAccesses(
  trace: Trace,
  tx: Transactions,
  stats: Pick<CandidateStats, 'sharedEntities'> = { sharedEntities: 0 },
): number[][] {
  const { events } = trace;
  const byEntity = new Map<number, number[]>();
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    if (kind !== EventKind.Read && kind !== EventKind.Write) continue;
    // Without a place there is nothing to show and nothing to recognise in another run.
    if ((events.site[i] as number) < 0) continue;
    const entity = events.object[i] as number;
    const found = byEntity.get(entity);
    if (found) found.push(i);
    else byEntity.set(entity, [i]);
  }
  const shared: number[][] = [];
  for (const all of byEntity.values()) {
    const strands = new Set(all.map((i) => tx.strandOf(events.activation[i] as number)));
    if (strands.size < 2) continue;
    stats.sharedEntities += 1;
    if (!all.some((i) => events.kind[i] === EventKind.Write)) continue;
    const step = Math.max(1, Math.ceil(all.length / MAX_ACCESSES));
    shared.push(step === 1 ? all : all.filter((_, k) => k % step === 0));
  }
  return shared;
}

/** The most promising of a stream of candidates: by pattern, then by how close the local accesses are. */
import type { Pattern } from '../../../data/prediction.ts';
import { SHAPES } from '../../rank.ts';
import type { Pass, WitnessedTriple } from '../pass/pass.ts';

/** Larger than any distance. */
const FAR = 2 ** 32;

interface KeptCandidate {
  readonly promise: number;
  readonly pattern: Pattern;
  readonly local: number;
  readonly remote: number;
}

export interface Candidates {
  /** All that were found. */
  readonly count: number;
  /** The most promising, best first. */
  readonly best: readonly WitnessedTriple[];
}

/** Of what a pass has found, at most `limit`. */
export function bestOf(pass: Pass, limit: number): Candidates {
  let kept: KeptCandidate[] = [];
  let count = 0;
  /** What is less promising is not kept. */
  let least = Number.NEGATIVE_INFINITY;
  const sorted = (): KeptCandidate[] => kept.toSorted((a, b) => b.promise - a.promise).slice(0, limit);
  pass.candidates((pattern, local, rows, from, to) => {
    count += to - from;
    const promise = SHAPES[pattern][0] * FAR - pass.distance(local);
    for (let at = from; at < to && promise > least; at++) {
      kept.push({ promise, pattern, local, remote: rows[at]! });
      if (kept.length < 2 * limit) continue;
      kept = sorted();
      least = kept.at(-1)!.promise;
    }
  });
  return {
    count,
    best: sorted().map(({ pattern, local, remote }) => pass.candidate(pattern, local, remote)),
  };
}

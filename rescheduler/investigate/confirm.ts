/**
 * Confirmation with paired control: the forced order fails k of k times with the same error in fresh
 * processes, and the observed order passes k of k times, interleaved, each in its own temporary directory.
 * Otherwise leftovers of an earlier run would look like bugs.
 */
import type { RunResult, StrategySpec } from '../../data/run.ts';

export interface Confirmation {
  readonly confirmed: boolean;
  readonly reproduced: number;
  readonly control: number;
  readonly times: number;
  readonly result: RunResult;
  /** Why not, in one line; null when confirmed. */
  readonly reason: string | null;
}

export type RunFresh = (spec: StrategySpec) => Promise<RunResult>;

/** What names the defect that a failed run shows. */
export function fingerprintOf({ failure, outcome }: Pick<RunResult, 'failure' | 'outcome'>): string {
  return failure?.fingerprint ?? outcome;
}

/** Two failures are one defect when kind and normalised error agree. */
export function sameFailure(a: RunResult, b: RunResult): boolean {
  if (a.outcome !== b.outcome) return false;
  return a.failure?.fingerprint === b.failure?.fingerprint;
}

export async function confirm(
  run: RunFresh,
  forced: StrategySpec,
  seen: RunResult,
  times: number,
): Promise<Confirmation> {
  let reproduced = 0;
  let control = 0;
  let last = seen;
  let reason: string | null = null;
  for (let i = 0; i < times && reason === null; i++) {
    const result = await run(forced);
    last = result;
    if (sameFailure(result, seen)) reproduced += 1;
    else reason = `did not fail alike in a fresh process (${describe(result)} instead of ${describe(seen)})`;
    if (reason !== null) break;
    const paired = await run({ kind: 'observed' });
    if (paired.outcome === 'pass') control += 1;
    else reason = `the observed order failed as well (${describe(paired)})`;
  }
  return { confirmed: reason === null, reproduced, control, times, result: last, reason };
}

function describe(result: RunResult): string {
  return result.failure ? `${result.outcome}: ${result.failure.name}` : result.outcome;
}

/**
 * Confirmation with paired control: the forced order fails k of k times with the same error in fresh
 * processes, and the observed order passes k of k times, in pairs, each in its own temporary directory.
 * Otherwise leftovers of an earlier run would look like bugs. Who begins changes from pair to pair: a test that leaves
 * something behind which only the next run finds, and takes away, fails every second time whatever is forced.
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
  const fails = async (): Promise<void> => {
    last = await run(forced);
    if (sameFailure(last, seen)) reproduced += 1;
    else reason = `did not fail alike in a fresh process (${describe(last)} instead of ${describe(seen)})`;
  };
  const passes = async (): Promise<void> => {
    const paired = await run({ kind: 'observed' });
    if (paired.outcome === 'pass') control += 1;
    else reason = `the observed order failed as well (${describe(paired)})`;
  };
  for (let pair = 0; pair < times && reason === null; pair++)
    for (const each of pair % 2 === 0 ? [fails, passes] : [passes, fails]) if (reason === null) await each();
  return { confirmed: reason === null, reproduced, control, times, result: last, reason };
}

function describe(result: RunResult): string {
  return result.failure ? `${result.outcome}: ${result.failure.name}` : result.outcome;
}

/** Whether a program can fail at all: its orders at random first, then all of them as far as there is time. */
import type { RunLimits, RunResult, StrategySpec } from '../../data/run.ts';
import { nextPrefix } from '../../rescheduler/investigate/enumeration.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';

export interface Enumerated {
  /** The first order that failed. */
  readonly failing: RunResult | null;
  readonly runs: number;
  /** Every order was run. */
  readonly complete: boolean;
}

const RANDOM_FIRST = 60;
const RANDOM_LAST = 300;

export async function enumerate(subject: Subject, limits: RunLimits, maxOrders: number): Promise<Enumerated> {
  let runs = 0;
  const execute = (spec: StrategySpec) => {
    runs += 1;
    return subject.execute(spec, { limits, wantChoices: spec.kind === 'prefix' });
  };
  const random = async (from: number, to: number): Promise<RunResult | null> => {
    for (let seed = from; seed <= to; seed++) {
      const result = await execute({ kind: 'random', seed });
      if (failed(result)) return result;
    }
    return null;
  };
  let failing = await random(1, RANDOM_FIRST);
  if (failing) return { failing, runs, complete: false };
  let prefix: readonly string[] | null = [];
  for (let order = 0; prefix !== null && order < maxOrders; order++) {
    const result: RunResult = await execute({ kind: 'prefix', prefix });
    if (failed(result)) return { failing: result, runs, complete: false };
    prefix = nextPrefix(result);
  }
  if (prefix !== null) failing = await random(RANDOM_FIRST + 1, RANDOM_LAST);
  return { failing, runs, complete: prefix === null };
}

/** A failure or a deadlock; a run that had to be given up says nothing. */
export function failed({ outcome }: RunResult): boolean {
  return outcome === 'fail' || outcome === 'deadlock';
}

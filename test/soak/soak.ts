/** One correct program under many seeded random orders. */
import { DEFAULT_LIMITS } from '../../data/run.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';

export interface FalseFailure {
  readonly seed: number;
  readonly what: string;
  readonly steps: readonly string[];
}

export interface Soaked {
  readonly runs: number;
  /** Different orders among them. */
  readonly orders: number;
  readonly failures: readonly FalseFailure[];
}

/** Runs the seeds `first`, `first + 1`, … until there were `runs`, or until `over` says so. */
export async function soak(
  subject: Subject,
  runs: number,
  first: number,
  over: () => boolean = () => false,
): Promise<Soaked> {
  const failures: FalseFailure[] = [];
  const orders = new Set<string>();
  let done = 0;
  for (; done < runs && !over(); done += 1) {
    const seed = first + done;
    const result = await subject.execute({ kind: 'random', seed }, { limits: DEFAULT_LIMITS });
    orders.add(result.traceHash);
    if (result.outcome === 'pass') continue;
    const { failure, steps } = result;
    const what = failure ? `${failure.name}: ${failure.message.split('\n', 1)[0]}` : result.outcome;
    failures.push({ seed, what, steps });
  }
  return { runs: done, orders: orders.size, failures };
}

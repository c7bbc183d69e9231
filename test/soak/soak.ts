/** One correct program under many seeded random orders. */

/** A program that cannot fail, whatever the order. */
export interface Correct {
  readonly id: string;
  run(seed: number): Promise<RandomRun>;
  close(): Promise<void>;
}

/** A run in the random order of a seed. */
export interface RandomRun {
  /** How it failed, or why nobody can tell; null: it passed. */
  readonly what: string | null;
  /** As the product counts: what is unknown is no report. */
  readonly unknown: boolean;
  readonly steps: readonly string[];
  readonly traceHash: string;
}

/** A run that did not pass. */
export interface Ended {
  readonly seed: number;
  readonly what: string;
  readonly steps: readonly string[];
}

export interface Soaked {
  readonly runs: number;
  /** Different orders among them. */
  readonly orders: number;
  readonly failures: readonly Ended[];
  readonly unknown: readonly Ended[];
}

/** Runs the seeds `first`, `first + 1`, … until there were `runs`, or until `over` says so. */
export async function soak(
  program: Correct,
  runs: number,
  first: number,
  over: () => boolean = () => false,
): Promise<Soaked> {
  const failures: Ended[] = [];
  const unclear: Ended[] = [];
  const orders = new Set<string>();
  let done = 0;
  for (; done < runs && !over(); done += 1) {
    const seed = first + done;
    const { what, unknown, steps, traceHash } = await program.run(seed);
    orders.add(traceHash);
    if (what !== null) (unknown ? unclear : failures).push({ seed, what, steps });
  }
  return { runs: done, orders: orders.size, failures, unknown: unclear };
}

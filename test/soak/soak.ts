/** One correct program under many seeded random orders. */

/** A program that cannot fail, whatever the order. */
export interface Correct {
  readonly id: string;
  run(seed: number): Promise<RandomRun>;
  close(): Promise<void>;
}

/** A run in the random order of a seed. `what`: how it failed; null: it passed. */
export interface RandomRun {
  readonly what: string | null;
  readonly steps: readonly string[];
  readonly traceHash: string;
}

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
  program: Correct,
  runs: number,
  first: number,
  over: () => boolean = () => false,
): Promise<Soaked> {
  const failures: FalseFailure[] = [];
  const orders = new Set<string>();
  let done = 0;
  for (; done < runs && !over(); done += 1) {
    const seed = first + done;
    const { what, steps, traceHash } = await program.run(seed);
    orders.add(traceHash);
    if (what !== null) failures.push({ seed, what, steps });
  }
  return { runs: done, orders: orders.size, failures };
}

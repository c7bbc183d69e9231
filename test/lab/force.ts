/** Random feasible orders of a program, and the delays that should make plain Node take each of them. */
import type { Loopback } from '../../data/feasibility/rules.ts';
import { DEFAULT_LIMITS } from '../../data/run.ts';
import { installGate } from '../../rescheduler/gate/session.ts';
import { executeGated } from '../../rescheduler/subjects/execution.ts';
import type { WitnessPlan } from '../../rescheduler/witness/plan.ts';
import { type Solved, solve } from '../../rescheduler/witness/solve.ts';
import type { Directories } from './directories.ts';
import { play } from './play.ts';
import type { Program } from './program.ts';

installGate();

/** Timers are far enough apart for a plain run to tell, on a busy machine as well, ms. */
const UNIT = 50;

/** The machine has other things to do as well: how much longer than usual everything may take, in one plan after the other. */
const SPREADS = [1, 2, 4];

export interface Forced {
  readonly seed: number;
  /** What the program told. */
  readonly order: readonly string[];
  /** Of the timers, ms. */
  readonly unit: number;
  /** The same order for an idle machine, and for busier ones. */
  readonly plans: readonly WitnessPlan[];
  /** What is known to stand against it on an idle machine: see {@link Solved}. */
  readonly missed: number;
  readonly margin: number;
  readonly unheld: readonly string[];
}

/** So many orders, each another one. */
export async function force(
  program: Program,
  orders: number,
  directories: Directories,
  loopback: Loopback = 'network',
): Promise<Forced[]> {
  const limits = { ...DEFAULT_LIMITS, loopback };
  const found = new Map<string, Forced>();
  for (let seed = 1; seed <= orders * 2 && found.size < orders; seed++) {
    const order: string[] = [];
    const directory = directories.fresh();
    let isOver = false;
    // What a run has left to do when it is over the gate carries out, and a plain run does not wait for it.
    const told = (word: string): void => void (isOver || order.push(word));
    const { trace, result } = await executeGated(
      () => play(program, { directory, unit: UNIT, told }).then(() => (isOver = true)),
      { spec: { kind: 'random', seed }, limits, wantChoices: false, record: true },
    );
    if (!trace || result.outcome !== 'pass') continue;
    const solved = SPREADS.map((spread) => solve(trace, spread));
    const { missed, margin, unheld } = solved[0] as Solved;
    const plans = solved.map(({ plan }) => plan);
    found.set(order.join('\n'), { seed: program.seed, order, unit: UNIT, plans, missed, margin, unheld });
  }
  return [...found.values()];
}

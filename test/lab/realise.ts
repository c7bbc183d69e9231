/** Plain Node under the delays and pauses of a plan: does it take the forced order? */

import { Delays } from '../../rescheduler/witness/delays.ts';
import type { WitnessPlan } from '../../rescheduler/witness/plan.ts';
import type { Directories } from './directories.ts';
import type { Realisation, Unrealised } from './figures.ts';
import type { Forced } from './force.ts';
import { play } from './play.ts';
import { type Program, programOf, show } from './program.ts';

/** Runs in which an order must show. */
const ATTEMPTS = 6;

export async function realise(all: readonly Forced[], directories: Directories): Promise<Realisation> {
  const unrealised: Unrealised[] = [];
  for (const forced of all) {
    const not = await attempt(forced, directories);
    if (not) unrealised.push(not);
  }
  return { forced: all.length, realised: all.length - unrealised.length, unrealised };
}

/** Null where a run took the order; else what came nearest to it. */
async function attempt(forced: Forced, directories: Directories): Promise<Unrealised | null> {
  const { seed, order, plans } = forced;
  const program = programOf(seed);
  let reached = -1;
  let instead: readonly string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = plans[Math.min(attempt, plans.length - 1)] as WitnessPlan;
    const told = await runPlain(program, forced.unit, plan, directories);
    const parting = order.findIndex((word, at) => told[at] !== word);
    if (parting < 0 && told.length === order.length) return null;
    if (parting <= reached) continue;
    reached = parting;
    instead = told.slice(parting);
  }
  return { seed, program: show(program), order, reached, instead, why: classOf(forced) };
}

/** What the program tells. */
export async function runPlain(
  program: Program,
  unit: number,
  plan: WitnessPlan,
  directories: Directories,
): Promise<string[]> {
  const told: string[] = [];
  const directory = directories.fresh();
  // Nobody's line is known: requests are told apart by what they are about, and by their order.
  const delays = new Delays(plan, () => null);
  await new Promise((resolve) => setImmediate(resolve));
  await delays.run(() => play(program, { directory, unit, told: (word) => told.push(word) }));
  return told;
}

/** What stands against an order, as far as it is known. */
function classOf({ unheld, missed }: Forced): string {
  if (unheld.length > 0)
    return `not held in a plain run: ${unheld.map((api) => api.split('.')[0]).sort()[0]}`;
  return missed > 0 ? 'timers that no late answer explains' : 'unexplained';
}

/** Plain Node under the delays and pauses of a plan: does it take the forced order? */
import { Delays } from '../../rescheduler/witness/delays.ts';
import type { Directories } from './directories.ts';
import type { Realisation } from './figures.ts';
import type { Forced } from './force.ts';
import { play } from './play.ts';
import { programOf } from './program.ts';

/** Runs in which an order must show; the machine has other things to do as well. */
const ATTEMPTS = 5;

export async function realise(all: readonly Forced[], directories: Directories): Promise<Realisation> {
  const unrealised: Record<string, number> = {};
  let realised = 0;
  for (const forced of all) {
    if (await isRealised(forced, directories)) realised += 1;
    else unrealised[classOf(forced)] = (unrealised[classOf(forced)] ?? 0) + 1;
  }
  return { forced: all.length, realised, unrealised };
}

async function isRealised({ seed, order, plan, unit }: Forced, directories: Directories): Promise<boolean> {
  const program = programOf(seed);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const told: string[] = [];
    const directory = directories.fresh();
    // Nobody's line is known: requests are told apart by what they are about, and by their order.
    const delays = new Delays(plan, () => null);
    await new Promise((resolve) => setImmediate(resolve));
    await delays.run(() => play(program, { directory, unit, told: (word) => told.push(word) }));
    if (told.join('\n') === order.join('\n')) return true;
  }
  return false;
}

/** What stands against an order, as far as it is known. */
function classOf({ unheld, missed }: Forced): string {
  if (unheld.length > 0)
    return `not held in a plain run: ${unheld.map((api) => api.split('.')[0]).sort()[0]}`;
  return missed > 0 ? 'timers that no late answer explains' : 'unexplained';
}

/**
 * Plain Node: programs as they are, neither wrapped nor held, each many times while the process stalls now and then
 * and threads of the pool are busy with something else. Gives the orders that were seen.
 */
import crypto from 'node:crypto';
import { generator } from '../../data/generator.ts';
import type { Directories } from './directories.ts';
import { play } from './play.ts';
import type { Program } from './program.ts';

export interface Observed {
  readonly seed: number;
  readonly runs: number;
  readonly orders: readonly (readonly string[])[];
}

/** What disturbs one run. */
interface Weather {
  /** How often, and for how long at most, ms, the process stands still at the begin of a turn or before a start. */
  readonly stalls: number;
  readonly longest: number;
  /** How often a thread of the pool gets something else to do, and how long that takes at most, ms. */
  readonly busy: number;
  readonly work: number;
}

const WEATHERS: readonly Weather[] = [
  { stalls: 0, longest: 0, busy: 0, work: 0 },
  { stalls: 0.3, longest: 1, busy: 0, work: 0 },
  { stalls: 0.3, longest: 3, busy: 0, work: 0 },
  { stalls: 0.1, longest: 10, busy: 0, work: 0 },
  { stalls: 0, longest: 0, busy: 0.5, work: 1 },
  { stalls: 0.2, longest: 2, busy: 0.3, work: 1.5 },
];
/** Rounds of pbkdf2 that keep a thread busy for about 1 ms. */
const ROUNDS = 1500;

/** Runs a program `runs` times; the same weathers come in every call. */
export async function observe(program: Program, runs: number, directories: Directories): Promise<Observed> {
  const random = generator(program.seed * 7919 + 1);
  const orders = new Map<string, readonly string[]>();
  for (let run = 0; run < runs; run++) {
    const order = await once(program, directories.fresh(), WEATHERS[run % WEATHERS.length]!, random);
    orders.set(order.join('\n'), order);
  }
  return { seed: program.seed, runs, orders: [...orders.values()] };
}

async function once(
  program: Program,
  directory: string,
  { stalls, longest, busy, work }: Weather,
  random: () => number,
): Promise<readonly string[]> {
  const order: string[] = [];
  let working = 0;
  const disturb = (): void => {
    if (random() < stalls) spin(random() * longest);
    if (random() < busy) {
      working += 1;
      crypto.pbkdf2('a', 'b', 1 + Math.floor(random() * work * ROUNDS), 8, 'sha1', () => {
        working -= 1;
      });
    }
  };
  // The first turn is one of the check phase, as under the gate.
  await nextRound();
  await play(program, {
    directory,
    told: (word) => {
      order.push(word);
      disturb();
    },
    starting: disturb,
  });
  // What this run left behind must not meddle with the next one.
  while (working > 0 || process.getActiveResourcesInfo().includes('Timeout')) await nextRound();
  return order;
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

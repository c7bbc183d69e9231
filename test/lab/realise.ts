/** Plain Node under the delays and pauses of a plan: does it take the forced order? */

import { readFileSync, rmSync } from 'node:fs';
import { Delays } from '../../rescheduler/witness/delays.ts';
import { type FamilyName, familyNameOf } from '../../rescheduler/witness/families.ts';
import type { WitnessPlan } from '../../rescheduler/witness/plan.ts';
import type { Directories } from './directories.ts';
import { FAMILY_NAMES, LAB_FAMILIES } from './families.ts';
import type { Realisation, Unrealised } from './figures.ts';
import { inProcess } from './folder.ts';
import type { Forced } from './force.ts';
import { play } from './play.ts';
import { programOf, show } from './program.ts';

/**
 * Runs in which an order must show: its plans in turn. The last runs have a process each: what makes answers late wraps
 * the host anew for every plan, and what lies beneath may get in its way.
 */
const RUNS = [
  { plan: 0, alone: false },
  { plan: 1, alone: false },
  { plan: 0, alone: true },
  { plan: 1, alone: true },
  { plan: 2, alone: true },
  { plan: 2, alone: true },
];

/** `orders`: the file with all orders that were forced. */
export async function realise(
  orders: string,
  all: readonly Forced[],
  directories: Directories,
): Promise<Realisation> {
  const unrealised: Unrealised[] = [];
  for (const [nth, forced] of all.entries()) {
    const not = await attempt(forced, (plan, alone) =>
      alone
        ? plainRun({ orders, nth, plan })
        : tell(forced, forced.plans[plan] as WitnessPlan, directories.fresh()),
    );
    if (not) unrealised.push(not);
  }
  return { forced: all.length, realised: all.length - unrealised.length, unrealised };
}

/** Null where a run took the order; else what came nearest to it. */
async function attempt(
  forced: Forced,
  run: (plan: number, alone: boolean) => Promise<readonly string[]>,
): Promise<Unrealised | null> {
  const { seed, order } = forced;
  let reached = -1;
  let instead: readonly string[] = [];
  for (const { plan, alone } of RUNS) {
    const told = await run(plan, alone);
    const parting = order.findIndex((word, at) => told[at] !== word);
    if (parting < 0 && told.length === order.length) return null;
    if (parting <= reached) continue;
    reached = parting;
    instead = told.slice(parting);
  }
  return { seed, program: show(programOf(seed)), order, reached, instead, why: classOf(forced) };
}

/** One plan of one order of a file. */
export interface PlainOptions {
  readonly orders: string;
  readonly nth: number;
  readonly plan: number;
}

/** What a program tells, in a process of its own. */
async function plainRun(options: PlainOptions): Promise<readonly string[]> {
  const file = `${options.orders}.told`;
  await inProcess('plain', options, file);
  const told = JSON.parse(readFileSync(file, 'utf8')) as string[];
  rmSync(file);
  return told;
}

/** The same in this process. */
export async function tell({ seed, unit }: Forced, plan: WitnessPlan, directory: string): Promise<string[]> {
  const told: string[] = [];
  // Nobody's line is known: requests are told apart by what they are about, and by their order.
  const delays = new Delays(plan, () => null);
  await new Promise((resolve) => setImmediate(resolve));
  await delays.run(() => play(programOf(seed), { directory, unit, told: (word) => told.push(word) }));
  return told;
}

/** What is closer than this to a timer, ms, no plan keeps apart from it. */
const LEAST_MARGIN = 2;

/** What a thread does while the loop goes on; a plan has all else done within the call where time is short. */
const BY_THREADS = /^(?:crypto|zlib|dns\.lookup(?:Service)?)\b/;

/**
 * The answer of a thread comes in the poll phase in which it was asked for. Plain Node does that where something else has
 * woken the loop, be it the collector of garbage: a plan cannot.
 */
const isTooFast = ({ requests, stretches }: WitnessPlan): boolean => {
  const phases = stretches.flatMap(({ rounds }) => rounds.map(({ answers }) => answers.flat()));
  return requests.some(
    ({ api, cause, deliver }) =>
      BY_THREADS.test(api) && phases.some((steps) => steps.includes(cause) && steps.includes(deliver.index)),
  );
};

/** An answer comes in an earlier round of the stretch in which it was asked for. */
const isTooSoon = ({ requests, stretches }: WitnessPlan, family: FamilyName, least: number): boolean =>
  stretches.some(({ index, rounds }) => {
    const early = rounds.slice(0, least - 1).flatMap(({ answers, heads }) => [...answers.flat(), ...heads]);
    return requests.some(
      (request) =>
        familyNameOf(request.api) === family &&
        request.cause >= index &&
        early.includes(request.deliver.index),
    );
  });

/** Two answers of name servers come one behind the other, asked for before: a plan cannot have both in one check phase. */
const areTogether = ({ requests }: WitnessPlan): boolean => {
  const answers = requests.filter(({ api }) => familyNameOf(api) === 'nameServers');
  return answers.some(({ deliver: { index } }) =>
    answers.some(({ deliver, cause }) => index >= 0 && deliver.index === index + 1 && cause < index),
  );
};

/** A child is done within the first turn, as long as that may stand still. */
const isInFirstTurn = ({ requests, stretches: [first] }: WitnessPlan): boolean =>
  first?.index === -1 &&
  requests.some(
    ({ api, deliver }) =>
      familyNameOf(api) === 'children' &&
      first.rounds.some(({ answers }) => answers.flat().includes(deliver.index)),
  );

/** What stands against an order, as far as its plan tells. */
export function classOf({ unheld, missed, margin, plans }: Forced): string {
  if (unheld.length > 0)
    return `not held in a plain run: ${unheld.map((api) => api.split('.')[0]).sort()[0]}`;
  const [plan] = plans as [WitnessPlan];
  for (const family of FAMILY_NAMES) {
    const { rounds, why } = LAB_FAMILIES[family];
    if (why && isTooSoon(plan, family, rounds ?? 0)) return why;
  }
  if (missed > 0) return 'timers that no late answer explains';
  if (isTooFast(plan)) return 'a thread answers in the poll phase in which it was asked';
  if (areTogether(plan)) return 'two answers of name servers begin one check phase';
  if (isInFirstTurn(plan)) return 'a child is done within the first turn';
  return margin < LEAST_MARGIN
    ? `less than ${LEAST_MARGIN} ms between a timer and its neighbours`
    : 'unexplained';
}

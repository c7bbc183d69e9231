/**
 * One part of the laboratory in a process of its own: `node slice.ts PART '{"from":1,…}' FILE` writes what it found
 * to the file. What watches plain Node must not have wrapped anything.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Loopback } from '../../data/feasibility/rules.ts';
import { familyNameOf } from '../../rescheduler/witness/families.ts';
import { Directories } from './directories.ts';
import { LAB_FAMILIES } from './families.ts';
import type { Missed, Necessary } from './figures.ts';
import type { Follower } from './follow.ts';
import type { Forced } from './force.ts';
import type { Observed } from './observe.ts';
import { programOf, show } from './program.ts';

export interface SliceOptions {
  /** Seed of the first program. */
  readonly from: number;
  readonly programs: number;
  /** Plain runs of each; orders to force of each. */
  readonly runs: number;
  /** Gated runs in which an order must be found. */
  readonly tries: number;
  /** What lies between two ends in one process; a network unless told otherwise. */
  readonly loopback?: Loopback;
  /** Where the orders are that were observed. */
  readonly orders?: string;
  /** One of these orders, and one of its plans. */
  readonly nth?: number;
  readonly plan?: number;
}

type Part = (options: SliceOptions, directories: Directories) => Promise<unknown>;

const PARTS: Readonly<Record<string, Part>> = {
  observe: observeAll,
  judge: judgeAll,
  force: forceAll,
  realise: realiseAll,
  plain: plainOne,
  necessity: necessityAll,
};

async function observeAll({ from, programs, runs }: SliceOptions, directories: Directories) {
  const { observe } = await import('./observe.ts');
  const all: Observed[] = [];
  for (let seed = from; seed < from + programs; seed++)
    all.push(await observe(programOf(seed), runs, directories));
  return all;
}

async function judgeAll({ orders, tries, loopback }: SliceOptions, directories: Directories) {
  const { NOTHING_OBSERVED, addObservations } = await import('./figures.ts');
  const { Follower } = await import('./follow.ts');
  let sum = NOTHING_OBSERVED;
  for (const observed of JSON.parse(readFileSync(orders!, 'utf8')) as Observed[]) {
    const program = programOf(observed.seed);
    const follower = new Follower(program, directories, loopback);
    await follower.learn();
    for (const order of observed.orders) {
      const { tries: took, reached } = await follower.follow(order, tries);
      const missed: Missed[] = [];
      if (took === 0) {
        const why = await whyMissed(follower, order, tries);
        missed.push({ seed: observed.seed, program: show(program), order, reached, why });
      }
      sum = addObservations(sum, { ...NOTHING_OBSERVED, orders: 1, tries: took, missed });
    }
    const apis = [...follower.apis];
    sum = addObservations(sum, { ...NOTHING_OBSERVED, programs: 1, runs: observed.runs, apis });
  }
  return sum;
}

function isUnforeseen(api: string): boolean {
  const family = familyNameOf(api);
  return family !== null && LAB_FAMILIES[family].isUnforeseen === true;
}

async function whyMissed(follower: Follower, order: readonly string[], tries: number): Promise<string> {
  const unforeseen = [...follower.apis].find(isUnforeseen);
  if (unforeseen) return `real time passes while something comes from outside (C12): ${unforeseen}`;
  const { tries: took } = await follower.follow(order, tries, { clocks: false });
  if (took === 0) return 'unexplained';
  return 'a stat told when the run changed a file, so that this cannot have been later (C13)';
}

async function forceAll({ from, programs, runs, loopback }: SliceOptions, directories: Directories) {
  const { force } = await import('./force.ts');
  const all: Forced[] = [];
  for (let seed = from; seed < from + programs; seed++)
    all.push(...(await force(programOf(seed), runs, directories, loopback)));
  return all;
}

async function realiseAll({ orders }: SliceOptions, directories: Directories) {
  const { realise } = await import('./realise.ts');
  return realise(orders!, JSON.parse(readFileSync(orders!, 'utf8')) as Forced[], directories);
}

async function plainOne({ orders, nth, plan }: SliceOptions, directories: Directories) {
  const { tell } = await import('./realise.ts');
  const forced = (JSON.parse(readFileSync(orders!, 'utf8')) as Forced[])[nth!] as Forced;
  return tell(forced, forced.plans[plan!]!, directories.fresh());
}

/** The table and the judge are those of the tests. */
async function necessityAll(_options: SliceOptions, _directories: Directories): Promise<Necessary[]> {
  const { RULES, failsWithout, necessities } = await import('../rescheduler/gate/necessity.ts');
  const { Directories: Plain } = await import('../rescheduler/gate/support.ts');
  const plain = new Plain();
  const found: Necessary[] = [];
  for (const [off, rule] of Object.entries(RULES)) {
    let needed: Necessary = { rule, off, program: null };
    for (const necessity of necessities)
      if (necessity.off === off && needed.program === null && (await failsWithout(necessity, plain)) !== null)
        needed = { rule, off, program: necessity.program };
    found.push(needed);
  }
  plain.remove();
  return found;
}

const [part, options, file] = process.argv.slice(2) as [string, string, string];
const directories = new Directories();
process.on('exit', () => directories.remove());
const found = await PARTS[part]!(JSON.parse(options) as SliceOptions, directories);
writeFileSync(file, JSON.stringify(found));
process.exit(0);

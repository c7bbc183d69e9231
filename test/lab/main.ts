/**
 * The feasibility laboratory: are our rules those of real Node?
 *
 * (a) Observation: random programs on plain Node, with stalls and a busy thread pool. Every order that is seen there
 * must be one that the gate can be made to follow: our rules forbid nothing that real Node does.
 * (b) Necessity: each rule has a program that fails falsely when it is off: our rules forbid no more than they must.
 * (c) Realisability: random orders that the gate forces are taken by plain Node, too, when nothing but some answers
 * is late: what our rules allow is real.
 *
 * `node test/lab/main.ts [--parts observe,judge,necessity,realise] [--from N] [--programs N] [--runs N] [--keep DIR]`.
 * Without `--from` and
 * `--programs` the programs about operations that came later follow. `--loopback strict` judges and forces under that rule.
 * With `--keep` what every slice of programs found stays in a folder: what is there is not done again, and all that is
 * there adds up, so that the whole can be done in parts; without it a part need not be as large. Exits with 1 below a goal; the last line
 * gives the figures.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { LOOPBACKS } from '../../data/feasibility/rules.ts';
import { temporary } from '../temporary.ts';
import {
  addObservations,
  addRealisations,
  type Necessary,
  NOTHING_OBSERVED,
  NOTHING_REALISED,
} from './figures.ts';
import { Folder } from './folder.ts';
import { LATER } from './operations/table.ts';
import { rowsHere } from './rows.ts';

const GOALS = { programs: 1000, runs: 100_000, orders: 20_000, forced: 2000, realised: 0.95 };
/** Programs of one process. */
const SLICE = 20;
/** Programs about operations that came later. */
const LATER_PROGRAMS = 60;
/** Gated runs in which an order must be found. */
const TRIES = 1000;
/** Orders of each program that are forced. */
const ORDERS = 2;

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'observe,judge,necessity,realise' },
    from: { type: 'string' },
    programs: { type: 'string' },
    runs: { type: 'string', default: String(GOALS.runs / GOALS.programs) },
    keep: { type: 'string' },
    loopback: { type: 'string', default: 'network' },
  },
});
const parts = new Set(values.parts.split(','));
/** Seeds of first programs, and how many. */
const { from: first = 1, programs: count = GOALS.programs } = values;
const ranges = [[Number(first), Number(count)]];
if (!values.from && !values.programs) ranges.push([LATER, LATER_PROGRAMS]);
const slices = ranges.flatMap(([from = 0, programs = 0]) =>
  Array.from({ length: Math.ceil(programs / SLICE) }, (_, i) => ({
    from: from + i * SLICE,
    programs: Math.min(SLICE, programs - i * SLICE),
  })),
);
const runs = Number(values.runs);
const loopback = z.enum(LOOPBACKS).parse(values.loopback);
const under = loopback === 'strict' ? 'strict-' : '';
const path = values.keep ?? temporary('unweave-lab-figures');
mkdirSync(path, { recursive: true });
const folder = new Folder(path);

const observed = () => folder.sum(`${under}judged-`, addObservations, NOTHING_OBSERVED);
const realised = () => folder.sum(`${under}realised-`, addRealisations, NOTHING_REALISED);

for (const { from, programs } of slices) {
  const slice = `${from}-${programs}-${runs}`;
  if (parts.has('observe')) await folder.fill(`observed-${slice}`, 'observe', { from, programs, runs });
  if (parts.has('judge'))
    await folder.fill(`${under}judged-${slice}`, 'judge', {
      orders: folder.file(`observed-${slice}`),
      tries: TRIES,
      loopback,
    });
  if (parts.has('realise')) {
    const forced = `${under}forced-${from}-${programs}`;
    await folder.fill(forced, 'force', { from, programs, runs: ORDERS, loopback });
    await folder.fill(`${under}realised-${from}-${programs}`, 'realise', { orders: folder.file(forced) });
  }
  const [seen, made] = [observed(), realised()];
  console.log(
    `up to program ${from + programs - 1}: ${seen.orders} orders, ${seen.missed.length} missed; ` +
      `${made.realised} of ${made.forced} realised`,
  );
}

/** Of a part nobody expects the size of the whole. */
const isPart = (values.from ?? values.programs) !== undefined && !values.keep;
const below: string[] = [];
const size = (what: string, is: number, wanted: number): void => {
  if (!isPart) goal(what, is, wanted);
};
const goal = (what: string, is: number, wanted: number): void => {
  if (is < wanted) below.push(`${is} of ${wanted} ${what}`);
};

const seen = observed();
if (parts.has('judge')) {
  for (const { seed, program, order, reached, why } of seen.missed)
    console.log(
      `program ${seed}: ${program}\n  ${why}\n  not told from word ${reached} on: ${order.join(' ')}`,
    );
  for (const [why, all] of Object.entries(Object.groupBy(seen.missed, (missed) => missed.why)))
    console.log(`missed, ${why}: ${all?.length}`);
  for (const what of ['programs', 'runs', 'orders'] as const) size(what, seen[what], GOALS[what]);
  const unused = rowsHere().filter((row) => !seen.apis.includes(row));
  if (unused.length > 0 && !isPart) below.push(`rows that no program used: ${unused.join(', ')}`);
  if (seen.missed.length > 0) below.push(`${seen.missed.length} orders missed`);
}

if (parts.has('necessity')) await folder.fill('necessity', 'necessity', {});
const rules = folder.sum<readonly Necessary[]>('necessity', (_, b) => b, []);
for (const { rule, off, program } of rules) {
  console.log(`${rule} (${off}): ${program === null ? 'no' : `yes, “${program}”`} fails falsely without it`);
  if (program === null) below.push(`no program needs ${rule} (${off})`);
}

const made = realised();
if (parts.has('realise')) {
  for (const { seed, program, order, reached, instead, why } of made.unrealised) {
    console.log(`program ${seed}: ${program}\n  ${why}\n  forced: ${order.join(' ')}`);
    console.log(`  plain, from word ${reached} on: ${instead.join(' ')}`);
  }
  for (const [why, all] of Object.entries(Object.groupBy(made.unrealised, (unrealised) => unrealised.why)))
    console.log(`not realised, ${why}: ${all?.length}`);
  size('forced orders', made.forced, GOALS.forced);
  goal('orders realised', made.realised, Math.ceil(GOALS.realised * made.forced));
}

const needed = rules.filter(({ program }) => program !== null).length;
if (!values.keep) rmSync(path, { recursive: true, force: true });
for (const line of below) console.log(`below the goal: ${line}`);
console.log(
  `Node ${process.version}: ${seen.programs} programs, ${seen.runs} runs, ${seen.orders - seen.missed.length} of ` +
    `${seen.orders} orders allowed; ${needed} of ${rules.length} rules needed; ${made.realised} of ${made.forced} forced orders realised`,
);
process.exit(below.length > 0 ? 1 : 0);

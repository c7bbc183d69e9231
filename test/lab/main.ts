/**
 * The feasibility laboratory: `node test/lab/main.ts [--from N] [--programs N] [--runs N] [--keep FOLDER]`.
 *
 * (a) Observation: random programs on plain Node, with stalls and a busy thread pool. Every order that is seen there
 * must be one that the gate can be made to follow: our rules forbid nothing that real Node does.
 *
 * With `--keep` the figures of every slice of programs stay in a folder: what is there is not done again, and all
 * that is there adds up, so that the whole can be done in parts. Exits with 1 below a goal.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { addObservations, NOTHING_OBSERVED, type Observation } from './figures.ts';
import { rowsHere } from './rows.ts';

const GOALS = { programs: 1000, runs: 100_000, orders: 20_000 };
/** Programs of one process. */
const SLICE = 20;
/** Gated runs in which an order must be found. */
const TRIES = 400;

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    programs: { type: 'string', default: String(GOALS.programs) },
    runs: { type: 'string', default: String(GOALS.runs / GOALS.programs) },
    keep: { type: 'string' },
  },
});
const first = Number(values.from);
const end = first + Number(values.programs);
const runs = Number(values.runs);
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'unweave-lab-figures-'));
mkdirSync(folder, { recursive: true });

async function slice(part: string, options: object, file: string): Promise<void> {
  const script = fileURLToPath(new URL('./slice.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [script, part, JSON.stringify(options), file]);
}

async function observation(from: number, programs: number): Promise<void> {
  const figures = join(folder, `observation-${from}-${programs}-${runs}.json`);
  if (existsSync(figures)) return;
  const orders = join(folder, `orders-${from}.tmp`);
  const unfinished = `${figures}.tmp`;
  await slice('observe', { from, programs, runs }, orders);
  await slice('judge', { orders, tries: TRIES }, unfinished);
  rmSync(orders);
  renameSync(unfinished, figures);
}

function observed(): Observation {
  const files = readdirSync(folder).filter((name) => /^observation-.*\.json$/.test(name));
  return files
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Observation)
    .reduce(addObservations, NOTHING_OBSERVED);
}

for (let from = first; from < end; from += SLICE) {
  await observation(from, Math.min(SLICE, end - from));
  const { programs, orders, missed } = observed();
  console.log(`${programs} programs, ${orders} orders, ${missed.length} missed`);
}

const sum = observed();
for (const { seed, program, order, reached } of sum.missed)
  console.log(`program ${seed}: ${program}\n  not told from word ${reached} on: ${order.join(' ')}`);
const unused = rowsHere().filter((row) => !sum.apis.includes(row));
const below = [
  ...Object.entries(GOALS).flatMap(([what, goal]) => {
    const is = sum[what as keyof typeof GOALS];
    return is < goal ? [`${is} of ${goal} ${what}`] : [];
  }),
  ...(unused.length > 0 ? [`rows that no program used: ${unused.join(', ')}`] : []),
  ...(sum.missed.length > 0 ? [`${sum.missed.length} orders missed`] : []),
];
for (const line of below) console.log(`below the goal: ${line}`);
console.log(
  `Node ${process.version}: ${sum.programs} programs, ${sum.runs} runs, ${sum.orders} orders seen, ${sum.orders - sum.missed.length} of them followed`,
);
if (!values.keep) rmSync(folder, { recursive: true, force: true });
process.exit(below.length > 0 ? 1 : 0);

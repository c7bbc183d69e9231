/**
 * `node test/soak/main.ts [runs] [--seed N] [--minutes N] [--only PART] [--threads | --own | --children]`: every correct program under so many
 * seeded random orders (default 10,000) that real Node could produce. One failure is a false one, and exits 1; runs
 * of which nobody can tell are counted apart.
 * `--minutes` shares a time among the programs instead, where there is less than all of them need. `--threads`: the
 * programs of worker threads, in random schedules, instead of those of the event loop. `--own`: those that start their
 * own workers. `--children`: of those of the event loop, only the ones with child processes. `--loopback strict`: what lies between two ends in one process is no network, in the event loop's programs.
 */
import { parseArgs } from 'node:util';
import PQueue from 'p-queue';
import { z } from 'zod';
import { LOOPBACKS } from '../../data/feasibility/rules.ts';
import { correctChildren, correctOwn, correctPrograms, correctThreads } from './correct.ts';
import { type Correct, soak } from './soak.ts';

const PARALLEL = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    only: { type: 'string', default: '' },
    threads: { type: 'boolean', default: false },
    own: { type: 'boolean', default: false },
    children: { type: 'boolean', default: false },
    loopback: { type: 'string', default: 'network' },
  },
});
const runs = Number(positionals[0] ?? 10_000);
const loopback = z.enum(LOOPBACKS).parse(values.loopback);
/** Where nothing else is asked for, those with children come with the others. */
async function correctOnes(): Promise<Correct[]> {
  if (values.own) return correctOwn(values.only);
  if (values.threads) return correctThreads(values.only);
  const children = await correctChildren(values.only);
  return values.children ? children : [...(await correctPrograms(values.only, loopback)), ...children];
}
const programs = await correctOnes();
const shareMs =
  values.minutes === undefined
    ? Number.POSITIVE_INFINITY
    : (Number(values.minutes) * 60_000 * PARALLEL) / programs.length;

let total = 0;
let least = Number.POSITIVE_INFINITY;
let failed = 0;
let unclear = 0;
const queue = new PQueue({ concurrency: PARALLEL });
const one = async (program: (typeof programs)[number]): Promise<void> => {
  const end = performance.now() + shareMs;
  const soaked = await soak(program, runs, Number(values.seed), () => performance.now() > end);
  await program.close();
  total += soaked.runs;
  least = Math.min(least, soaked.runs);
  failed += soaked.failures.length;
  unclear += soaked.unknown.length;
  console.log(
    `${soaked.failures.length === 0 ? 'ok  ' : 'FAIL'} ${program.id}: ${soaked.runs} runs, ${soaked.orders} orders`,
  );
  for (const { seed, what, steps } of soaked.failures.slice(0, 5))
    console.log(`     seed ${seed}: ${what}\n       ${steps.join('\n       ')}`);
  for (const { seed, what } of soaked.unknown.slice(0, 5)) console.log(`     unknown, seed ${seed}: ${what}`);
};
await Promise.all(programs.map((program) => queue.add(() => one(program))));
console.log(
  `${programs.length} programs, ${total} runs, at least ${least} each, ${failed} false failures, ${unclear} unknown`,
);
process.exit(failed === 0 ? 0 : 1);

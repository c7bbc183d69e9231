/** Threads under the token: switches beside a raw ring of `Atomics`, executions of a warm pool, element access. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ThreadHarness, threadRegistrations } from '../../harnesses/api.ts';
import type * as Config from '../../monitor/loader/config.ts';
import type * as Pools from '../../rescheduler/tokens/pool.ts';
import type * as Runtime from '../../rescheduler/tokens/thread-runtime.ts';
import { elementAccess } from '../lib/elements.ts';
import { benchFile, ours } from '../lib/ours.ts';
import { type Case, FULL, median, type Row } from '../lib/rows.ts';

const { defaultConfig } = await ours<typeof Config>('monitor/loader/config');
const { poolControl, Pool } = await ours<typeof Pools>('rescheduler/tokens/pool');
const { installRuntime } = await ours<typeof Runtime>('rescheduler/tokens/thread-runtime');

const FILE = benchFile('programs/tokens.ts');
const ROUNDS = 5;

/** Executions of a program of the fixture in a warm pool. */
async function pooled(threads: number) {
  const control = poolControl(threads);
  const config = defaultConfig(fileURLToPath(new URL('../..', import.meta.url)));
  installRuntime(control, -1, config);
  const harness = threadRegistrations().find(
    ({ name }) => name === String(threads),
  ) as ThreadHarness<Int32Array>;
  const pool = new Pool(control, FILE, threads, config);
  pool.take({ name: harness.name, calls: null }, Object.keys(harness.threads));
  const execute = async (steps: number, grants: ArrayLike<number>) => {
    const memory = harness.memory();
    memory[0] = steps;
    const done = await pool.execute(memory, {
      grants,
      chance: null,
      without: 0,
      record: false,
      transactions: false,
      watchdogMs: 60_000,
    });
    if (done.outcome !== 'ended') throw new Error(`the execution ended as ${done.outcome}`);
    return done;
  };
  return { execute, close: () => pool.close() };
}

/** Everyone in turn, one step each. */
function roundRobin(threads: number, steps: number): Int32Array {
  const grants = new Int32Array(2 * threads * steps);
  for (let i = 0; i < threads * steps; i++) grants.set([i % threads, 1], 2 * i);
  return grants;
}

const stepsOf = (grants: ArrayLike<number>): number =>
  Array.from(grants).reduce((sum, each, at) => sum + (at % 2) * each, 0);

const perSecond = (count: number, ms: number): number => (1000 * count) / ms;

async function rawRing(threads: number, rounds: number): Promise<number> {
  const words = new Int32Array(new SharedArrayBuffer(4 * 16 * (threads + 1)));
  const url = new URL('../contestants/ring.ts', import.meta.url);
  const workers = Array.from(
    { length: threads },
    (_, self) => new Worker(url, { workerData: { words, self, threads, rounds } }),
  );
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('online', resolve))));
  // Online is before the program runs: the first round shows that all of them do.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const started = performance.now();
  Atomics.store(words, 16, 1);
  Atomics.notify(words, 16);
  for (let ended = 0; ended < threads; ended = Atomics.load(words, 0)) Atomics.wait(words, 0, ended);
  const ms = performance.now() - started;
  await Promise.all(workers.map((worker) => worker.terminate()));
  return perSecond(threads * rounds, ms);
}

async function switches(threads: number, each: number): Promise<Row> {
  const { close, execute } = await pooled(threads);
  const grants = roundRobin(threads, each);
  await execute(each, grants);
  const rates: number[] = [];
  const raw: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const done = await execute(each, grants);
    rates.push(perSecond(done.switches, performance.now() - started));
    raw.push(await rawRing(threads, each));
  }
  await close();
  return {
    what: `tokens: switches between ${threads} workers`,
    unit: 'switches/s',
    ours: median(rates),
    peer: { name: 'raw Atomics ring', value: median(raw) },
    pairs: rates.map((rate, round) => rate / raw[round]!),
    goal: { atLeast: 0.8 },
  };
}

async function executions(grants: ArrayLike<number>, times: number, atLeast: number): Promise<Row> {
  const { close, execute } = await pooled(2);
  // Each of the two threads takes half of them.
  const steps = stepsOf(grants) / 2;
  for (let i = 0; i < times / 10; i++) await execute(steps, grants);
  const rates: number[] = [];
  let each = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    for (let i = 0; i < times; i++) each = (await execute(steps, grants)).switches;
    rates.push(perSecond(times, performance.now() - started));
  }
  await close();
  const what = `tokens: executions of a warm pool, ${each} switches each`;
  return { what, unit: 'executions/s', ours: median(rates), peer: null, goal: { atLeast } };
}

const run: Case = async ({ rounds, share }) => {
  await import(FILE);
  const scale = rounds < FULL.rounds ? 0.1 * share : 1;
  const rows: Row[] = [];
  for (const threads of [2, 4, 8]) rows.push(await switches(threads, (80_000 * scale) / threads));
  const few = [0, 1, 1, 2, 0, 1];
  rows.push(await executions(few, 5000 * scale, 10_000));
  rows.push(await executions(roundRobin(2, 30), 1000 * scale, 2000));
  return [...rows, ...(await elementAccess(scale))];
};

export default run;

/**
 * Measures programs against each other: each in a warm process of its own, taking turns round by round, so
 * that a busy machine disturbs all of them alike. The figure of each is the median over the rounds.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type * as Options from '../../rescheduler/subjects/worker-options.ts';
import { benchFile, ours, ourUrl } from './ours.ts';
import { median } from './rows.ts';

export interface Contestant {
  /** Below `bench/`; calls `serveRounds`. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Options of a process that is instrumented, as workers are. */
export const PRELOADED: readonly string[] = ['--import', ourUrl('monitor/register')];

/** The other options of workers. */
export const { WORKER_OPTIONS } = await ours<typeof Options>('rescheduler/subjects/worker-options');

export interface Rounds {
  readonly rounds: number;
  /** Work units per round, passed to the script. */
  readonly work: number;
}

/** What came out: milliseconds of one round, by contestant; and how often one fits into another, round by round. */
export interface Taken {
  readonly ms: readonly number[];
  times(one: number, another: number): number[];
}

export async function contest(contestants: readonly Contestant[], { rounds, work }: Rounds): Promise<Taken> {
  const children = contestants.map((c) => start(c));
  try {
    const taken: number[][] = contestants.map(() => []);
    // The first round warms up: compilers, caches.
    for (let round = 0; round <= rounds; round++) {
      for (let i = 0; i < children.length; i++) {
        const at = (i + round) % children.length;
        const ms = await ask<number>(children[at]!, work);
        if (round > 0) taken[at]!.push(ms);
      }
    }
    return {
      ms: taken.map(median),
      times: (one, another) => taken[one]!.map((ms, round) => taken[another]![round]! / ms),
    };
  } finally {
    for (const child of children) child.kill();
  }
}

/** Starts a contestant without asking anything of it. */
export function start({ script, args = [], execArgv = [], env = {} }: Contestant): ChildProcess {
  const options = ['--no-warnings', ...execArgv];
  return fork(benchFile(script), args, { execArgv: options, env: { ...process.env, ...env } });
}

/** Sends the amount of work and waits for the answer. */
export async function ask<T>(child: ChildProcess, work: number): Promise<T> {
  const died = once(child, 'exit').then(() => {
    throw new Error('a contestant died');
  });
  child.send(work);
  const [answer] = (await Promise.race([once(child, 'message'), died])) as [T];
  child.removeAllListeners('exit');
  return answer;
}

/** With `BENCH_CLOCK=cpu` rounds are measured in CPU time of their process: steadier on a busy machine. */
function clock(): number {
  if (process.env['BENCH_CLOCK'] !== 'cpu') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The contestant's side: does `work` units when asked and answers with the milliseconds it took. */
export function serveRounds(round: (work: number) => Promise<void> | void): void {
  const send = process.send!.bind(process);
  process.on('message', (work: number) => {
    void (async () => {
      const started = clock();
      await round(work);
      send(clock() - started);
    })();
  });
}

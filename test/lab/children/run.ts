/** One program of processes under random orders: which outcomes came, and whether each is one that processes can show. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runtime } from '../../../monitor/runtime/index.ts';
import { executeGated } from '../../../rescheduler/subjects/execution.ts';
import type { Directories } from '../directories.ts';
import { type ChildrenProgram, type Outcome, outcomesOf, spelled, type Told } from './program.ts';
import '../../../monitor/register.ts';

const FILE = new URL('./calls.mjs', import.meta.url);
const { carriedOut } = (await import(FILE.href)) as { carriedOut(dir: string, call: object): string };

const LIMITS = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 30_000 };

export interface Tried {
  readonly possible: number;
  readonly seen: ReadonlySet<string>;
  /** Runs that came to no end, or whose orders are not to be trusted. */
  readonly unknown: number;
  readonly wrong: readonly { readonly outcome: string; readonly order: readonly string[] }[];
}

export async function tried(
  program: ChildrenProgram,
  runs: number,
  directories: Directories,
): Promise<Tried> {
  const possible = outcomesOf(program);
  const seen = new Set<string>();
  const wrong: Tried['wrong'][number][] = [];
  let unknown = 0;
  for (let seed = 1; seed <= runs; seed++) {
    const dir = directories.fresh();
    const { result, value } = await executeGated(
      (root) => runtime.runAsBody(root, () => play(program, dir)),
      {
        ...{ spec: { kind: 'random', seed: 1000 * program.seed + seed }, wantChoices: false, record: false },
        limits: { ...LIMITS, asksAlone: true },
      },
    );
    const outcome = value ? spelled(value) : String(result.failure?.stack);
    if (result.outcome === 'unknown') unknown += 1;
    else if (possible.has(outcome)) seen.add(outcome);
    else wrong.push({ outcome, order: result.steps });
  }
  return { possible: possible.size, seen, unknown, wrong };
}

async function play({ before, beside, behind, children }: ChildrenProgram, dir: string): Promise<Outcome> {
  for (const call of before) carriedOut(dir, call);
  const started = children.map((calls) =>
    spawn(process.execPath, [fileURLToPath(FILE), dir, JSON.stringify(calls)], {
      env: {},
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  );
  // Where one takes long to begin the others would be over.
  await Promise.all(started.map((child) => once(child, 'message')));
  const ends = started.map((child) => Promise.all([once(child, 'message'), once(child, 'exit')]));
  for (const child of started) child.send('begin');
  const own: string[] = [];
  for (const call of beside) {
    await new Promise((next) => setTimeout(next, 10));
    own.push(carriedOut(dir, call));
  }
  const told = (await Promise.all(ends)).map(([[answer]]) => answer as Told);
  return { beside: own, behind: behind.map((call) => carriedOut(dir, call)), children: told };
}

/** Runs a command to its end, or to a limit, and all that it started with it. */
import { performance } from 'node:perf_hooks';
import { killGroup, spawnGroup } from '../../rescheduler/subjects/groups.ts';

export interface Ran {
  /** Null: killed by a signal, or not started. */
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly out: string;
  readonly ms: number;
}

/** Of standard output and error so much is kept, bytes of each end. */
const KEPT = 1 << 20;

export function run(
  [command, ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<Ran> {
  const began = performance.now();
  const child = spawnGroup(command!, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let timedOut = false;
  const keep = (piece: unknown): void => {
    out = (out + String(piece)).slice(-KEPT);
  };
  child.stdout!.on('data', keep);
  child.stderr!.on('data', keep);
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child);
  }, limitMs);
  return new Promise((resolve) => {
    const ended = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, timedOut, out, ms: performance.now() - began });
    };
    child.once('error', () => ended(null));
    child.once('close', ended);
  });
}

/** Small projects for tests: fixed ones of `test/projects`, and ones written on the spot. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS } from '../../../data/run.ts';
import type { ExecuteOptions, Subject } from '../../../rescheduler/subjects/protocol.ts';
import { temporary } from '../../temporary.ts';

/** The folder of a fixed project. */
export const fixedProject = (name: string): string =>
  fileURLToPath(new URL(`../../projects/${name}`, import.meta.url));

/** Import line for the harness API, for projects outside of this repository. */
export const API = new URL('../../../harnesses/api.ts', import.meta.url).href;

/** Writes a project into a fresh folder and returns the folder. */
export function project(files: Readonly<Record<string, string>>): string {
  const dir = temporary('unweave-project');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

export const observed = { kind: 'observed' } as const;
export const random = (seed: number) => ({ kind: 'random', seed }) as const;

export const named = (subjects: readonly Subject[], name: string): Subject =>
  subjects.find((each) => each.name === name)!;

/** Options for one run; the watchdog is short where a test waits for it. */
export const options = (over: Partial<ExecuteOptions> & { watchdogMs?: number } = {}): ExecuteOptions => {
  const { watchdogMs = DEFAULT_LIMITS.watchdogMs, ...rest } = over;
  return { limits: { ...DEFAULT_LIMITS, watchdogMs }, ...rest };
};

/** True while a process with this id exists. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a condition holds; what never holds is for the runner's time-out to end. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

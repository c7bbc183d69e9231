/**
 * Process groups of the programs under test. A program may start children of its own; killing the group
 * kills them all. Should this process die in any way, the reaper does.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { tellReaper } from './reaper.ts';
import { guardRoots } from './scratch.ts';

const live = new Set<number>();
let isLeft = false;

/** What lives as we end is killed at once, not only when the reaper comes to it. */
function killAtExit(): void {
  if (isLeft) return;
  isLeft = true;
  process.on('exit', () => {
    for (const group of live) signalGroup(group, 'SIGKILL');
  });
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left in the group.
  }
}

/** Starts a program as the leader of a process group of its own. */
export function spawnGroup(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: true });
  const { pid } = child;
  if (pid !== undefined) {
    live.add(pid);
    guardRoots();
    tellReaper('+', pid);
    killAtExit();
    child.once('exit', () => killGroup(child));
  }
  return child;
}

/** Kills a program and everything it started. */
export function killGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || !live.delete(pid)) return;
  signalGroup(pid, 'SIGKILL');
  tellReaper('-', pid);
}

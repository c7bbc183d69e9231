/**
 * Process groups of the programs under test. A program may start children of its own; killing the group
 * kills them all. Should this process die in any way, even by SIGKILL, a small shell that reads from a pipe
 * of ours sees the end of the pipe, kills the groups that are left and removes our temporary folders.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { scratchRoots } from './scratch.ts';

const REAPER = `live=
while read -r op pg; do
  rest=
  for p in $live; do [ "$p" = "$pg" ] || rest="$rest $p"; done
  [ "$op" = + ] && rest="$rest $pg"
  live=$rest
done
for p in $live; do kill -KILL "-$p" 2>/dev/null; done
rm -rf -- "$@"`;

const live = new Set<number>();
let reaper: ChildProcess | null = null;

function tellReaper(line: string): void {
  if (!reaper) {
    const { disk, memory } = scratchRoots();
    reaper = spawn('/bin/sh', ['-c', REAPER, 'sh', disk, memory], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    reaper.on('error', () => {});
    reaper.stdin!.on('error', () => {});
    reaper.unref();
    (reaper.stdin as unknown as { unref(): void }).unref();
    process.on('exit', () => {
      for (const group of live) signalGroup(group, 'SIGKILL');
    });
  }
  reaper.stdin!.write(`${line}\n`);
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
    tellReaper(`+ ${pid}`);
    child.once('exit', () => killGroup(child));
  }
  return child;
}

/** Kills a program and everything it started. */
export function killGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || !live.delete(pid)) return;
  signalGroup(pid, 'SIGKILL');
  tellReaper(`- ${pid}`);
}

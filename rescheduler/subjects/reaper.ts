/**
 * Who cleans up behind us, however we end, even by SIGKILL: a small shell that reads from a pipe of ours sees the end of the pipe,
 * kills the process groups that are left and removes our temporary folders.
 */
import { type ChildProcess, spawn } from 'node:child_process';

const SCRIPT = `live=
while read -r op what; do
  if [ "$op" = / ]; then
    set -- "$@" "$what"
    continue
  fi
  rest=
  for p in $live; do [ "$p" = "$what" ] || rest="$rest $p"; done
  [ "$op" = + ] && rest="$rest $what"
  live=$rest
done
for p in $live; do kill -KILL "-$p" 2>/dev/null; done
rm -rf -- "$@"`;

let reaper: ChildProcess | null = null;

/** `+`: a group that lives, `-`: one that is over, `/`: a folder that is ours, told before it is made. */
export function tellReaper(op: '+' | '-' | '/', what: string | number): void {
  reaper ??= start();
  reaper.stdin!.write(`${op} ${what}\n`);
}

function start(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sh'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => {});
  shell.stdin!.on('error', () => {});
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  return shell;
}

/**
 * Programs under Node's permission model: a process of the test may read us and write down what it has recorded, whatever else
 * the user does not allow. The host's internals are read by an inspector of the process's own.
 */
import { createRequire } from 'node:module';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODELS: ReadonlySet<string> = new Set(['--permission', '--experimental-permission']);
const INSPECTOR = '--allow-inspector';
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Options that the processes of a command need besides; `writes`: folders of ours that they write to. Node refuses them where
 * the model is off: they are given where it is on for all, or where the command is Node.
 */
export function permissionsFor(
  command: string,
  args: readonly string[],
  nodeOptions: readonly string[],
  writes: readonly string[],
): string[] {
  const isNode = /^node(?:\.exe)?$/.test(basename(command));
  const script = args.findIndex((arg) => !arg.startsWith('-'));
  const options = isNode ? args.slice(0, script < 0 ? args.length : script) : [];
  if (![...nodeOptions, ...options].some((option) => MODELS.has(option))) return [];
  const all = (folder: string) => join(folder, '*');
  return [
    // Early versions of Node 24 do not know it, and do not keep anybody from inspecting.
    ...(process.allowedNodeEnvironmentFlags.has(INSPECTOR) ? [INSPECTOR] : []),
    ...[PACKAGE, packages(), ...writes].map((folder) => `--allow-fs-read=${all(folder)}`),
    ...writes.map((folder) => `--allow-fs-write=${all(folder)}`),
  ];
}

/** The folder that our dependencies lie in. */
function packages(): string {
  const found = createRequire(import.meta.url).resolve('@babel/parser');
  const within = `${sep}node_modules${sep}`;
  return found.slice(0, found.lastIndexOf(within) + within.length - 1);
}

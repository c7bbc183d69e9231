/** A project in a temporary folder, run under the preload. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporary } from '../../temporary.ts';

const register = new URL('../../../monitor/register.ts', import.meta.url).href;
export const harnesses = fileURLToPath(new URL('../../../harnesses', import.meta.url));

/** Writes files by relative name and returns the folder; it is gone when the tests are over. */
export function project(files: Record<string, string>): string {
  const dir = temporary('unweave-loader');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

/** Runs a file of a project; `config` goes through the environment. */
export function runIn(dir: string, file: string, config: object = {}, args: readonly string[] = []) {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--import', register, ...args, file],
    {
      cwd: dir,
      encoding: 'utf8',
      env: { ...env, UNWEAVE_CONFIG: JSON.stringify({ cwd: dir, ...config }) },
    },
  );
  return { status, stdout, stderr };
}

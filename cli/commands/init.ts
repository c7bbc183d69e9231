/** `unweave init`: a configuration and a CI recipe for the project that it finds. What is there is never overwritten. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { configsIn } from '../../data/config-file.ts';
import { UsageError } from '../errors.ts';
import { ciTemplate } from '../project/ci-template.ts';
import { configTemplate } from '../project/config-template.ts';
import { type Manifest, needs, readManifest } from '../project/manifest.ts';
import { packageManagerOf } from '../project/package-manager.ts';
import { runnerOf } from '../project/runner.ts';

const WORKFLOW = join('.github', 'workflows', 'unweave.yml');

/** What to do where no test script can be run as it is. */
const WITHOUT_RUNNER =
  'no test runner found: add a "test" script, or write harness files (docs/harnesses.md)';

/** Returns what it did and what to do next, a line each. */
export async function init(cwd: string): Promise<string[]> {
  const manifest = readManifest(cwd);
  if (!manifest)
    throw new UsageError(
      'no package.json here: run unweave init in the folder of a project (npm init makes one)',
    );
  const runner = runnerOf(manifest);
  const { manager, lockFile } = packageManagerOf(cwd);
  const lines = [
    runner
      ? `${runner.title} is the test runner here${runner.remark ? `: ${runner.remark}` : ''}`
      : WITHOUT_RUNNER,
    await writeConfig(cwd, manifest),
  ];
  const runnable = runner !== null && !runner.isUnseen && manifest.scripts['test'] !== undefined;
  if (runnable) {
    const root = rootOf(cwd);
    const folder = relative(root, cwd).replaceAll('\\', '/');
    const recipe = ciTemplate({ manager, locked: lockFile !== null, folder });
    lines.push(await writeNew(join(root, WORKFLOW), recipe, cwd));
  } else lines.push('no CI recipe: there is no test script that it could run');
  const install = { npm: 'npm install --save-dev', pnpm: 'pnpm add -D', yarn: 'yarn add -D' }[manager];
  if (!needs(manifest, 'unweave')) lines.push(`next: ${install} unweave`);
  lines.push(runnable ? 'next: npx unweave run' : 'next: npx unweave run --help');
  return lines;
}

async function writeConfig(cwd: string, manifest: Manifest): Promise<string> {
  const [known] = configsIn(cwd);
  if (known !== undefined) return `${known} is there and stays as it is`;
  const typed = needs(manifest, 'typescript') || existsSync(join(cwd, 'tsconfig.json'));
  // Names that say what kind of module it is: in a package without "type" Node would have to guess, and warns.
  const end = !typed ? 'mjs' : manifest.type === 'module' ? 'ts' : 'mts';
  return writeNew(join(cwd, `unweave.config.${end}`), configTemplate(typed), cwd);
}

async function writeNew(file: string, text: string, cwd: string): Promise<string> {
  const name = relative(cwd, file);
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, text, { flag: 'wx' });
    return `${name} written`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return `${name} is there and stays as it is`;
  }
}

/** Where workflows are looked for: the root of the repository, if there is one. */
function rootOf(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return cwd;
  }
}

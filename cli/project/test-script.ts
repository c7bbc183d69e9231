/** The project's own test command: what runs when the user gives none. */
import { UsageError } from '../errors.ts';
import { readManifest } from './manifest.ts';
import { isOnPath, packageManagerOf } from './package-manager.ts';

export interface TestScript {
  /** As the user would type it: `npm test`. */
  readonly argv: readonly string[];
  /** What it stands for. */
  readonly script: string;
  /** The manager of the project, where that is not installed and npm runs the script in its place. */
  readonly missing?: string;
}

/** What npm init writes. */
const NO_TEST = /no test specified/;
const OURSELVES = /\bunweave (?:run|monitor|reschedule)\b/;

/** Throws, with what to do, where there is none that can be run. */
export function testScriptOf(cwd: string, isInstalled = isOnPath): TestScript {
  const manifest = readManifest(cwd);
  const hint = 'give a test command after "--", or harness files (see unweave run --help)';
  if (!manifest) throw new UsageError(`nothing to run: no package.json here; ${hint}`);
  const script = manifest.scripts['test']?.trim() ?? '';
  if (script === '' || NO_TEST.test(script))
    throw new UsageError(`nothing to run: package.json has no "test" script; ${hint}`);
  if (OURSELVES.test(script))
    throw new UsageError(`nothing to run: the "test" script runs unweave itself (${script}); ${hint}`);
  const { manager } = packageManagerOf(cwd);
  return isInstalled(manager)
    ? { argv: [manager, 'test'], script }
    : { argv: ['npm', 'test'], script, missing: manager };
}

/** What to say of it before it runs. */
export const shownScript = ({ argv, script, missing }: TestScript): string =>
  `runs ${argv.join(' ')} (${script})${missing ? `: ${missing}, which the project uses, is not installed` : ''}`;

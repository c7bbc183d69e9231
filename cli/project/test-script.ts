/** The project's own test command: what runs when the user gives none. */
import { UsageError } from '../errors.ts';
import { readManifest } from './manifest.ts';
import { packageManagerOf } from './package-manager.ts';

export interface TestScript {
  /** As the user would type it: `npm test`. */
  readonly argv: readonly string[];
  /** What it stands for. */
  readonly script: string;
}

/** What npm init writes. */
const NO_TEST = /no test specified/;
const OURSELVES = /\bunweave (?:run|monitor|reschedule)\b/;

/** Throws, with what to do, where there is none that can be run. */
export function testScriptOf(cwd: string): TestScript {
  const manifest = readManifest(cwd);
  const hint = 'give a test command after "--", or harness files (see unweave run --help)';
  if (!manifest) throw new UsageError(`nothing to run: no package.json here; ${hint}`);
  const script = manifest.scripts['test']?.trim() ?? '';
  if (script === '' || NO_TEST.test(script))
    throw new UsageError(`nothing to run: package.json has no "test" script; ${hint}`);
  if (OURSELVES.test(script))
    throw new UsageError(`nothing to run: the "test" script runs unweave itself (${script}); ${hint}`);
  return { argv: [packageManagerOf(cwd).manager, 'test'], script };
}

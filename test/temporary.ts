/**
 * Temporary folders of tests. All are in one, which is gone when the process that made it ends: that of the test command, or
 * of a test file that is run by itself. What tests start has its temporary files there as well, so programs that are ended
 * before they have removed theirs leave nothing.
 */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** Holds the folder of all, for processes that were started by the one that made it. */
const ROOT = 'TESTS_TEMPORARY';
/** Set by who wants to look at what failing tests leave: the folder stays, and its path is printed. */
const KEEP = 'KEEP_TEMPORARY';

/** Removes a folder before that, where there would be too many; what was killed a moment ago may still write there. */
export function drop(folder: string): void {
  if (!process.env[KEEP]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function leave(): void {
  const { env, stderr } = process;
  const root = env[ROOT]!;
  drop(root);
  if (env[KEEP]) stderr.write(`temporary files are in ${root}\n`);
}

/** The folder that all of them are in. */
function enter(): string {
  const { env } = process;
  const given = env[ROOT];
  if (given !== undefined) return given;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'unweave-tests-')));
  // Some of what tests start has given up its rights.
  chmodSync(root, 0o755);
  env[ROOT] = root;
  env['TMPDIR'] = root;
  if (isMainThread) process.on('exit', leave);
  return root;
}

/** A fresh folder by its real path; it need not be removed. */
export const temporary = (name: string): string => mkdtempSync(join(enter(), `${name}-`));

/** Called by Node around all tests of the command (`--test-global-setup`). */
export const globalSetup = (): void => void enter();

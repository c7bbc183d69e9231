/** Runs the built command line as a user does: a process of its own, its output, its exit code, its orphans. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseReport, type Report } from '../../../data/report.ts';
import { drop, temporary } from '../../temporary.ts';

export const BIN = fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url));
/** What user files import the harness API from. */
export const API = new URL('../../../dist/harnesses/api.js', import.meta.url).href;

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

interface Cleanup {
  after(fn: () => void): void;
}

/** A project folder with these files, removed after the test. */
export function project(t: Cleanup, files: Readonly<Record<string, string>> = {}): string {
  const dir = temporary('unweave-e2e');
  t.after(() => drop(dir));
  const all = { 'package.json': '{ "type": "module", "private": true }', ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' };
  // This test runs inside a runner; what it starts does not.
  for (const name of ['NODE_TEST_CONTEXT', 'NODE_OPTIONS']) delete env[name];
  return env;
}

interface How {
  /** Run before it in the same shell, such as `ulimit …`. */
  readonly shell?: string;
  /** Give up all rights but those of anybody. */
  readonly user?: 'nobody' | undefined;
}

const NOBODY = 65_534;

/** Starts the command line in a process group of its own. */
export function start(cwd: string, args: readonly string[], { shell, user }: How = {}): Running {
  const [file, argv] = shell
    ? ['bash', ['-c', `${shell}; exec "$@"`, 'bash', process.execPath, BIN, ...args]]
    : [process.execPath, [BIN, ...args]];
  const child = spawn(file, argv, {
    cwd,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  const texts = { out: '', err: '' };
  child.stdout!.setEncoding('utf8').on('data', (data) => (texts.out += data));
  child.stderr!.setEncoding('utf8').on('data', (data) => (texts.err += data));
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', (error) => resolve({ code: null, out: '', err: error.message }));
    child.once('close', (code) => resolve({ code, ...texts }));
  });
  return { child, ended };
}

/** Runs it to its end. */
export function run(cwd: string, args: readonly string[], how: How = {}): Promise<Ended> {
  return start(cwd, args, how).ended;
}

export function readReport(cwd: string, name = 'out.json'): Report {
  return parseReport(readFileSync(join(cwd, name), 'utf8'), name);
}

/** Lines that stay when those that only tell the progress are left out. */
export function complaints({ err }: Ended): string[] {
  return err
    .split('\n')
    .filter((line) => line !== '')
    .filter((line) => !/^unweave: (?:recording|repeating|predicting|forcing|confirming)\b/.test(line));
}

/** One clear line on stderr that names what is wrong, the exit code, and no stack trace. */
export function assertOneLine(ended: Ended, code: number, line: RegExp): void {
  const lines = complaints(ended);
  assert.equal(lines.length, 1, `one line expected, got:\n${ended.err}`);
  assert.match(lines[0]!, line);
  assert.match(lines[0]!, /^unweave: /);
  assertCalm(ended);
  assert.equal(ended.code, code);
}

/** Nothing that looks like an accident of ours. */
export function assertCalm({ out, err }: Ended): void {
  assert.doesNotMatch(out + err, /^\s+at .*(?:dist|node_modules)\//m);
  assert.doesNotMatch(err, /UNWEAVE_DEBUG|node:internal/);
}

/** Processes whose working directory is the project's, as far as the system tells. */
function processesIn(cwd: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === cwd;
      } catch {
        return false;
      }
    });
}

/** No process of the project is left; those that were killed a moment ago get time to go. */
export async function assertNoOrphans(cwd: string): Promise<void> {
  if (!existsSync('/proc/self/cwd')) return;
  let left = processesIn(cwd);
  for (let tries = 0; left.length > 0 && tries < 50; tries++) {
    await sleep(100);
    left = processesIn(cwd);
  }
  assert.deepEqual(left, []);
}

/** Few orders, confirmed once: for what does not depend on how many. */
export const FEW_ORDERS = ['--confirm', '1', '--max-schedules', '10'] as const;

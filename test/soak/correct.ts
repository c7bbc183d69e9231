/** The bundled programs that cannot fail: every `ok` twin, every safe program, every repaired package. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Loopback } from '../../data/feasibility/rules.ts';
import { DEFAULT_LIMITS, type Failure, type Outcome } from '../../data/run.ts';
import { ProgramSubject } from '../../rescheduler/loops/subject.ts';
import { loaderConfigOf } from '../../rescheduler/subjects/config.ts';
import { discoverHarnesses } from '../../rescheduler/subjects/discover.ts';
import { ThreadSubject } from '../../rescheduler/tokens/subject.ts';
import { loadAll, loadAllThreads } from '../harnesses/all.ts';
import type { Correct, RandomRun } from './soak.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WATCHDOG_MS = 60_000;

/** Those whose name contains `part`; the packages among them are instrumented, too. */
export async function correctPrograms(part = '', loopback: Loopback = 'network'): Promise<Correct[]> {
  const limits = { ...DEFAULT_LIMITS, loopback };
  const wanted = new Set<string>();
  for (const { file, harnesses } of await loadAll())
    for (const { name, expect } of harnesses)
      if (expect?.bug === false && name.includes(part)) wanted.add(`harnesses/${file}:${name}`);
  const subjects = await discoverHarnesses(
    [...new Set([...wanted].map((id) => id.slice(0, id.indexOf('.ts:') + 3)))],
    { cwd: ROOT, instrument: ['ftp-srv', 'node-json-db-fixed', 'rotating-file-stream-fixed'] },
  );
  return subjects
    .filter(({ id }) => wanted.has(id))
    .map((subject) => ({
      id: subject.id,
      run: async (seed) => runOf(await subject.execute({ kind: 'random', seed }, { limits })),
      close: () => subject.close(),
    }));
}

const CHILDREN = 'test/soak/children/programs.ts';

/** The same of programs whose child processes share files with each other, or with the program. */
export async function correctChildren(part = ''): Promise<Correct[]> {
  const subjects = await discoverHarnesses([CHILDREN], { cwd: ROOT });
  return subjects
    .filter(({ name }) => name.includes(part))
    .map((subject) => ({
      id: subject.id,
      run: async (seed) => {
        // A child alone asks in every other run.
        const limits = { ...DEFAULT_LIMITS, watchdogMs: WATCHDOG_MS, asksAlone: seed % 2 === 1 };
        const result = await subject.execute({ kind: 'random', seed }, { limits });
        return runOf(result);
      },
      close: () => subject.close(),
    }));
}

/** The same of the programs of worker threads. */
export async function correctThreads(part = ''): Promise<Correct[]> {
  const config = loaderConfigOf({ cwd: ROOT });
  const loaded = await loadAllThreads();
  return loaded.flatMap(({ file, harnesses }) =>
    harnesses
      .filter(({ name, expect }) => expect?.bug === false && name.includes(part))
      .map(({ name }): Correct => {
        const subject = new ThreadSubject(fileURLToPath(file), name, config);
        return {
          id: subject.id,
          run: async (seed) => {
            const { ran } = await subject.execute({ kind: 'random', seed }, { watchdogMs: WATCHDOG_MS });
            return runOf({ ...ran, steps: ran.taken.map(String) });
          },
          close: () => subject.close(),
        };
      }),
  );
}

const OWN = join(ROOT, 'test/projects');
/** By folder: scripts with their arguments, and test files with the names of their cases. */
const SCRIPTS: Readonly<Record<string, readonly (readonly [string, ...string[]])[]>> = {
  'own-loops': [['service.js', 'queued']],
  workers: [
    ...([
      ['bank.js', 'safe'],
      ['abba.js', 'same'],
      ['crew.js', 'safe'],
      ['broadcast.js', 'safe'],
    ] as const),
    ...([['wasm-memory.js', 'safe'], ['ordered.js'], ['join.js'], ['pool.js'], ['wait-async.js']] as const),
    ...([['terminated.js'], ['exits.js'], ['relay.js'], ['locked.js'], ['start.js'], ['fifo.js']] as const),
  ],
};
const CASES = [
  ['own-loops', 'bank.test.js', 'guarded'],
  ['workers', 'bank.test.js', 'locked'],
] as const;
/** Scripts that hold several programs, and list their names where none is asked for. */
const COLLECTIONS = ['orders.js', 'everyday.js'];

/** The same of programs that start their own workers: each run of a seed is one of a fresh program. */
export async function correctOwn(part = ''): Promise<Correct[]> {
  const subject = (folder: string, argv: readonly string[], name: string | null): ProgramSubject => {
    const cwd = join(OWN, folder);
    const path = join(cwd, argv[0]!);
    const recipe = {
      ...{ execPath: process.execPath, execArgv: [], cwd, runner: false, env: {} },
      argv: [path, ...argv.slice(1)],
    };
    const target = name === null ? null : { file: path, name, ordinal: 0 };
    return new ProgramSubject(recipe, target, null, loaderConfigOf({ cwd }));
  };
  const listed = COLLECTIONS.flatMap((file) => {
    const cwd = join(OWN, 'own-loops');
    const names = JSON.parse(execFileSync(process.execPath, [file], { cwd, encoding: 'utf8' })) as string[];
    return names.map((name) => subject('own-loops', [file, name], null));
  });
  const scripts = Object.entries(SCRIPTS).flatMap(([folder, all]) =>
    all.map((argv) => subject(folder, argv, null)),
  );
  const cases = CASES.map(([folder, file, name]) => subject(folder, [file], name));
  const options = { watchdogMs: WATCHDOG_MS };
  return [...listed, ...scripts, ...cases]
    .filter(({ id }) => id.includes(part))
    .map((program) => ({
      id: program.id,
      run: async (seed) => {
        const { ran } = await program.execute({ kind: 'random', seed }, options);
        const ungated = Object.keys(ran.ungated);
        const run = runOf({ ...ran, steps: ran.taken.map(String) });
        // Its orders would not be those that are to be tried.
        return ungated.length === 0 ? run : { ...run, what: run.what ?? ungated.join(', '), unknown: true };
      },
      close: () => program.close(),
    }));
}

interface Ran extends Omit<RandomRun, 'what' | 'unknown'> {
  readonly outcome: Outcome;
  readonly failure: Failure | null;
}

function runOf({ failure, outcome, steps, traceHash }: Ran): RandomRun {
  const how = failure ? `${failure.name}: ${failure.message.split('\n', 1)[0]}` : outcome;
  return { what: outcome === 'pass' ? null : how, unknown: outcome === 'unknown', steps, traceHash };
}

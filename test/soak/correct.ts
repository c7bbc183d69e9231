/** The bundled programs that cannot fail: every `ok` twin, every safe program, every repaired package. */
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS, type Failure, type Outcome } from '../../data/run.ts';
import { loaderConfigOf } from '../../rescheduler/subjects/config.ts';
import { discoverHarnesses } from '../../rescheduler/subjects/harness.ts';
import { ThreadSubject } from '../../rescheduler/tokens/subject.ts';
import { loadAll, loadAllThreads } from '../harnesses/all.ts';
import type { Correct, RandomRun } from './soak.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WATCHDOG_MS = 60_000;

/** Those whose name contains `part`; the packages among them are instrumented, too. */
export async function correctPrograms(part = ''): Promise<Correct[]> {
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
      run: async (seed) => runOf(await subject.execute({ kind: 'random', seed }, { limits: DEFAULT_LIMITS })),
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

interface Ran extends Omit<RandomRun, 'what' | 'unknown'> {
  readonly outcome: Outcome;
  readonly failure: Failure | null;
}

function runOf({ failure, outcome, steps, traceHash }: Ran): RandomRun {
  const how = failure ? `${failure.name}: ${failure.message.split('\n', 1)[0]}` : outcome;
  return { what: outcome === 'pass' ? null : how, unknown: outcome === 'unknown', steps, traceHash };
}

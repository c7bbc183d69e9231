/** Finds harnesses and scenarios by looking into files. */
import { relative } from 'node:path';
import { scenarioSubjects } from '../scenarios/subject.ts';
import { ThreadScenarioSubject } from '../scenarios/thread-subject.ts';
import { ThreadSubject } from '../tokens/subject.ts';
import { loaderConfigOf, type SubjectConfig } from './config.ts';
import { findHarnessFiles } from './files.ts';
import { describeDeath, HarnessSubject, MARGIN_MS } from './harness.ts';
import { OutputTail } from './output.ts';
import { type Subject, SubjectError } from './protocol.ts';
import { WorkerClient } from './worker-client.ts';
import type { ListReply, WorkerReply } from './worker-protocol.ts';

export interface HarnessOptions extends SubjectConfig {
  readonly verbose?: boolean;
}

/**
 * Finds the harnesses in files and folders. A file that is named must register one; in folders, files that
 * do not use the harness API are passed over without being run.
 * @throws SubjectError with one line.
 */
export async function discoverHarnesses(
  paths: readonly string[],
  options: HarnessOptions = {},
): Promise<Subject[]> {
  return [...(await discoverAll(paths, options)).tasks];
}

/** The same with harnesses of threads. */
export async function discoverAll(
  paths: readonly string[],
  options: HarnessOptions = {},
): Promise<{ tasks: readonly Subject[]; threads: readonly ThreadSubject[] }> {
  const config = loaderConfigOf(options);
  const { cwd } = config;
  const output = new OutputTail();
  const start = () =>
    new WorkerClient({ config, output, scratch: 'disk', verbose: options.verbose ?? false });
  let worker = start();
  const found: { tasks: Subject[]; threads: ThreadSubject[] } = { tasks: [], threads: [] };
  try {
    for (const { file, named } of findHarnessFiles(paths, cwd)) {
      const shown = relative(cwd, file);
      let reply: WorkerReply;
      try {
        reply = await worker.request({ kind: 'list', file }, MARGIN_MS);
      } catch (error) {
        throw new SubjectError(`${shown}: loading it ended the process: ${describeDeath(error)}`);
      }
      if ('error' in reply) throw new SubjectError(reply.error.message.replaceAll(file, shown));
      const { harnesses, threads, threadScenarios, scenarios } = reply as ListReply;
      if (named && !harnesses?.length && threads.length + threadScenarios.length + scenarios.length === 0)
        throw new SubjectError(`${shown}: no harness: the file does not call harness({ … })`, true);
      for (const { name } of harnesses ?? []) found.tasks.push(new HarnessSubject(file, name, config));
      found.tasks.push(...scenarioSubjects(file, scenarios, config));
      for (const name of threads) found.threads.push(new ThreadSubject(file, name, config));
      for (const told of threadScenarios) found.threads.push(new ThreadScenarioSubject(file, told, config));
      if (!worker.alive) worker = start();
    }
  } finally {
    await worker.close();
  }
  return found;
}

/** The commands: call the pipeline, write what it found, return the exit code. */
import { relative, resolve } from 'node:path';
import { countingLists } from '../data/fail-on.ts';
import type { RenderContext } from '../report/bug.ts';
import { renderExplained } from '../report/explained.ts';
import { inspectJson, renderInspect } from '../report/inspect.ts';
import { writeJson } from '../report/json.ts';
import { renderList } from '../report/list.ts';
import { plainText, plainValue } from '../report/plain.ts';
import { renderReplay } from '../report/replay.ts';
import { print, tell } from '../report/reporter.ts';
import { type SourceReader, sourceReader } from '../report/sources.ts';
import { styleFor } from '../report/style.ts';
import { isUnclear } from '../report/unexplained.ts';
import {
  excusedTests,
  expiredLines,
  type LoadedBaseline,
  NO_BASELINE,
  pruneBaseline,
  readBaseline,
  writeBaseline,
} from './baseline.ts';
import { wantedCase } from './case.ts';
import { describeError, UsageError } from './errors.ts';
import { exitCodeOf, INTERRUPTED, replayExitCode } from './exit-code.ts';
import { EVERY_LIST, explainTarget, PATIENT } from './explain.ts';
import { hideBugs } from './ignore.ts';
import { type Flags, type RunOptions, resolveOptions } from './options.ts';
import type { Pipeline, PipelineResult } from './pipeline-api.ts';
import { isOrderFile } from './stages/order-file.ts';
import { typed } from './typed.ts';
import { version } from './version.ts';

/** What a command runs in; tests give their own. */
export interface CliIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream;
  readonly signal: AbortSignal;
  readonly pipeline: () => Promise<Pipeline>;
}

/** Sources are shown as well. */
function plainSources(read: SourceReader): SourceReader {
  return (file) => {
    const text = read(file);
    return text === null ? null : plainText(text);
  };
}

function contextOf(options: RunOptions, io: CliIo): RenderContext {
  return {
    style: styleFor(io.stdout, io.env, options.color),
    read: plainSources(sourceReader(options.cwd)),
    cwd: options.cwd,
    verbose: options.verbose,
    counting: countingLists(options.failOn),
  };
}

/** Writes a result as asked for; hides known bugs. Returns the exit code. */
async function finish(
  result: PipelineResult,
  baseline: LoadedBaseline,
  options: RunOptions,
  io: CliIo,
): Promise<number> {
  const { report, views } = result;
  const context = contextOf(options, io);
  if (result.list) {
    if (options.json !== null)
      await writeJson(result.list, options.json, { cwd: options.cwd, stdout: io.stdout });
    if (!options.quiet) await print(io.stdout, renderList(plainValue(result.list), context.style));
    return result.exitCode;
  }
  const { cwd, json, quiet, reporters } = options;
  const streams = { stdout: io.stdout, stderr: io.stderr, env: io.env };
  const storeOption = options.said.includes('--store') ? ` --store ${typed(options.store)}` : '';
  let failed: unknown = null;
  // A file that cannot be written must not cost the report.
  const written =
    options.writeBaseline === null
      ? null
      : await writeBaseline(report, options.writeBaseline, cwd, baseline).catch((error: unknown) => {
          failed = error;
          return null;
        });
  const known = new Set([...baseline.known, ...(written?.known ?? [])]);
  const hidden = hideBugs(report, known, options.ignore, context.read);
  // The pipeline knows no baseline: what it says stands only while something is left that counts.
  const excused = excusedTests(report, known);
  const counting = countingLists(options.failOn);
  const ended = views.ended !== undefined;
  const found = result.exitCode === 0 ? 0 : exitCodeOf(report, { hidden, counting, excused, ended });
  const notices = [...(views.notices ?? []), ...expiredLines(baseline, report)];
  if (options.reportOnly && found !== 0) notices.push(`report only: the exit code is 0 instead of ${found}`);
  failed ??= await tell(
    { report, views: { ...views, notices }, hidden, excused },
    { cwd, json, quiet, reporters, counting, context, storeOption, version: version(), ...streams },
  );
  if (quiet) for (const line of notices) io.stderr.write(`unweave: ${plainText(line)}\n`);
  const code = options.reportOnly ? 0 : found;
  if (failed !== null) {
    const { line, exitCode } = describeError(failed);
    if (code !== 1 || exitCode !== 3) throw failed;
    io.stderr.write(`unweave: ${line}\n`);
    return code;
  }
  const say = (line: string) => (quiet ? Promise.resolve() : print(io.stdout, `${line}\n`));
  const nameOf = (file: string) => relative(io.cwd, resolve(cwd, file));
  if (options.writeBaseline !== null) await say(`known bugs written to ${nameOf(options.writeBaseline)}`);
  if (options.pruneBaseline && options.baseline !== undefined) {
    const { removed, undecided } = await pruneBaseline(baseline, report, options.baseline, cwd);
    const kept =
      undecided.length === 0
        ? ''
        : `; kept, as this run did not analyse their tests to the end: ${undecided.join(', ')}`;
    await say(`${nameOf(options.baseline)}: taken out: ${removed.join(', ') || 'nothing'}${kept}`);
  }
  return code !== 1 && io.signal.aborted ? INTERRUPTED : code;
}

/** `run` and the single stages. */
export async function runStage(
  stage:
    | 'runPipeline'
    | 'planOnly'
    | 'workOnly'
    | 'monitorOnly'
    | 'predictOnly'
    | 'rescheduleOnly'
    | 'reportStored',
  options: RunOptions,
  io: CliIo,
): Promise<number> {
  // Read before anything runs: a wrong file name must not cost minutes.
  if (options.pruneBaseline && options.baseline === undefined)
    throw new UsageError('--prune-baseline needs --baseline <file>, or "baseline" in the configuration');
  const baseline =
    options.baseline === undefined ? NO_BASELINE : await readBaseline(options.baseline, options.cwd);
  const pipeline = await io.pipeline();
  return finish(await pipeline[stage](options, io.signal), baseline, options, io);
}

/** `explain`. */
export async function runExplain(
  given: readonly string[],
  flags: Flags,
  command: readonly string[] | null,
  io: CliIo,
): Promise<number> {
  const wanted = wantedCase(given, flags.testNamePattern);
  const options = await resolveOptions(
    { ...PATIENT, ...flags, failOn: [...EVERY_LIST, ...(flags.failOn ?? [])] },
    explainTarget(wanted, command, io.cwd),
    io.cwd,
  );
  const pipeline = await io.pipeline();
  const result = await pipeline.explainCase(wanted, options, io.signal);
  const { explained, report, views } = result;
  if (explained && !options.quiet)
    await print(
      io.stdout,
      renderExplained(plainValue(explained), plainValue(report), plainValue(views), contextOf(options, io)),
    );
  const code = await finish(result, NO_BASELINE, options, io);
  const isUnknown =
    explained && report.tests.some((test) => isUnclear(test, explained, views.ended !== undefined));
  return code === 0 && isUnknown && !options.reportOnly ? 3 : code;
}

/** `merge`. */
export async function runMerge(
  files: readonly string[],
  isPartial: boolean,
  options: RunOptions,
  io: CliIo,
): Promise<number> {
  const baseline =
    options.baseline === undefined ? NO_BASELINE : await readBaseline(options.baseline, options.cwd);
  const pipeline = await io.pipeline();
  return finish(await pipeline.mergeShards(files, isPartial, options), baseline, options, io);
}

/** `replay`. */
export async function runReplay(id: string, options: RunOptions, io: CliIo): Promise<number> {
  const pipeline = await io.pipeline();
  const view = isOrderFile(id, options.cwd)
    ? await pipeline.replayOrder(id, options, io.signal)
    : await pipeline.replayBug(id, options, io.signal);
  if (options.json !== null) await writeJson(view, options.json, { cwd: options.cwd, stdout: io.stdout });
  if (!options.quiet) await print(io.stdout, renderReplay(plainValue(view), contextOf(options, io)));
  const code = replayExitCode(view);
  return code !== 1 && io.signal.aborted ? INTERRUPTED : code;
}

/** `export`. */
export async function runExport(
  id: string,
  out: string | null,
  options: RunOptions,
  io: CliIo,
): Promise<number> {
  const { test, order } = await (await io.pipeline()).exportBug(id, out, options, io.signal);
  await print(io.stdout, plainText(`${test} written\n${order} written\n`));
  return 0;
}

/** `inspect`. */
export async function runInspect(
  filters: readonly string[],
  options: RunOptions,
  io: CliIo,
): Promise<number> {
  const view = await (await io.pipeline()).inspectStore(filters, options);
  if (options.json !== null)
    await writeJson(inspectJson(view), options.json, { cwd: options.cwd, stdout: io.stdout });
  if (!options.quiet) await print(io.stdout, renderInspect(plainValue(view), contextOf(options, io)));
  return 0;
}

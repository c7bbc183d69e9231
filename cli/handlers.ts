/** The commands: call the pipeline, write what it found, return the exit code. */
import { relative, resolve } from 'node:path';
import type { RenderContext } from '../report/bug.ts';
import { inspectJson, renderInspect } from '../report/inspect.ts';
import { writeJson } from '../report/json.ts';
import { renderList } from '../report/list.ts';
import { plainText, plainValue } from '../report/plain.ts';
import { renderReplay } from '../report/replay.ts';
import { print, tell } from '../report/reporter.ts';
import { type SourceReader, sourceReader } from '../report/sources.ts';
import { styleFor } from '../report/style.ts';
import { readBaseline, writeBaseline } from './baseline.ts';
import { describeError } from './errors.ts';
import { exitCodeOf, INTERRUPTED, replayExitCode } from './exit-code.ts';
import { hideBugs } from './ignore.ts';
import type { RunOptions } from './options.ts';
import type { Pipeline, PipelineResult } from './pipeline-api.ts';

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
  };
}

/** Writes a result as asked for; hides known bugs. Returns the exit code. */
async function finish(
  result: PipelineResult,
  known: ReadonlySet<string>,
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
  const { cwd, json, quiet } = options;
  let failed: unknown = null;
  // A file that cannot be written must not cost the report.
  const written =
    options.writeBaseline === null
      ? null
      : await writeBaseline(report, options.writeBaseline, cwd).catch((error: unknown) => {
          failed = error;
          return null;
        });
  const all = new Set([...known, ...(written ?? [])]);
  const hidden = hideBugs(report, all, options.ignore, context.read);
  failed ??= await tell({ report, views, hidden }, { cwd, json, quiet, stdout: io.stdout, context });
  // The pipeline knows no baseline: what it says stands only while something is left that counts.
  const code =
    result.exitCode === 0 ? 0 : exitCodeOf(report, hidden, options.failOn, all, views.ended !== undefined);
  if (failed !== null) {
    const { line, exitCode } = describeError(failed);
    if (code !== 1 || exitCode !== 3) throw failed;
    io.stderr.write(`unweave: ${line}\n`);
    return code;
  }
  if (options.writeBaseline !== null && !options.quiet)
    await print(
      io.stdout,
      `known bugs written to ${relative(io.cwd, resolve(options.cwd, options.writeBaseline))}\n`,
    );
  return code !== 1 && io.signal.aborted ? INTERRUPTED : code;
}

/** `run` and the single stages. */
export async function runStage(
  stage: 'runPipeline' | 'monitorOnly' | 'predictOnly' | 'rescheduleOnly',
  options: RunOptions,
  io: CliIo,
): Promise<number> {
  // Read before anything runs: a wrong file name must not cost minutes.
  const known =
    options.baseline === undefined ? new Set<string>() : await readBaseline(options.baseline, options.cwd);
  const pipeline = await io.pipeline();
  return finish(await pipeline[stage](options, io.signal), known, options, io);
}

/** `replay`. */
export async function runReplay(id: string, options: RunOptions, io: CliIo): Promise<number> {
  const view = await (await io.pipeline()).replayBug(id, options, io.signal);
  if (options.json !== null) await writeJson(view, options.json, { cwd: options.cwd, stdout: io.stdout });
  if (!options.quiet) await print(io.stdout, renderReplay(plainValue(view), contextOf(options, io)));
  const code = replayExitCode(view);
  return code !== 1 && io.signal.aborted ? INTERRUPTED : code;
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

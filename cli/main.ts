/** The command line from its arguments to its exit code. Nothing thrown leaves this file. */
import { CommanderError } from 'commander';
import { describeError, type ErrorReport } from './errors.ts';
import type { CliIo } from './handlers.ts';
import type { Pipeline } from './pipeline-api.ts';
import { runProgram } from './program.ts';

/** Loaded when a command needs it: `--help` and wrong usage answer at once. */
const loadPipeline = (): Promise<Pipeline> => import('./pipeline.ts');

/** What the argument parser says, in our words; null when it has already printed help or the version. */
function describeUsage(error: CommanderError): ErrorReport | null {
  if (error.exitCode === 0) return null;
  if (error.code === 'commander.help') return { line: 'no command given; see unweave --help', exitCode: 2 };
  const text = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  const guessed = text.includes('Did you mean');
  const hint =
    error.code === 'commander.unknownOption' && !guessed ? ' (a test command goes after "--")' : '';
  return { line: text + hint, exitCode: 2 };
}

/** Runs a command line and resolves to its exit code; errors are one line on stderr. */
export async function main(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    return await runProgram(argv, io);
  } catch (error) {
    const report = error instanceof CommanderError ? describeUsage(error) : describeError(error);
    if (!report) return 0;
    io.stderr.write(`unweave: ${report.line}\n`);
    if (io.env['UNWEAVE_DEBUG'] === '1' && error instanceof Error) io.stderr.write(`${error.stack}\n`);
    return report.exitCode;
  }
}

/**
 * Runs the command line of this process. The first SIGINT asks the pipeline to stop and report what it
 * has; the second one ends at once.
 */
export async function start(): Promise<void> {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Error('interrupted'));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onSignal);
  // A reader that closes the pipe early (`| head`) has seen enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 3));
  process.exitCode = await main(process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
    pipeline: loadPipeline,
  });
  // Handles that a finished command left open must not keep the shell waiting.
  process.exit();
}

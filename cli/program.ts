/** The commands and their options, and what each of them calls. */
import { Command } from 'commander';
import { rejectBareCommand, splitArgv, targetOf, withNumbers } from './argv.ts';
import { addFlags } from './flags.ts';
import type { CliIo, runStage } from './handlers.ts';
import * as help from './help.ts';
import { type Flags, type RunOptions, resolveOptions } from './options.ts';
import { shownScript, testScriptOf } from './project/test-script.ts';
import { stdOptions } from './std/options.ts';
import { version } from './version.ts';

/** Loaded when a command needs them: `--help` and wrong usage answer at once. */
const handlers = () => import('./handlers.ts');

/** Parses the command line, runs the command, and resolves to its exit code. */
export async function runProgram(argv: readonly string[], io: CliIo): Promise<number> {
  const { own, command: testCommand } = splitArgv(argv);
  // Before the parser stumbles over the options of the test command.
  if (testCommand === null) rejectBareCommand(own);
  let exitCode = 0;
  const program = new Command('unweave')
    .description(
      'Finds races in Node.js programs: predicts them from one passing run, proves them by forcing the order.',
    )
    .version(version(), '-V, --version')
    .helpCommand(false)
    .addHelpText('after', help.GENERAL)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Errors are printed once, in one line, by main.
      outputError: () => {},
    });

  const stage = (
    name: string,
    summary: string,
    text: string,
    method: Parameters<typeof runStage>[0],
    needsTarget: boolean,
  ): Command =>
    program
      .command(name)
      .description(summary)
      .argument('[harness...]', 'harness files or folders; or a test command after "--"')
      .addHelpText('after', text)
      .action(async (paths: string[], flags: Flags) => {
        const given = targetOf(paths, testCommand);
        const own = given === null && needsTarget ? testScriptOf(io.cwd) : null;
        const options = await resolveOptions(
          flags,
          own ? { kind: 'command', argv: own.argv } : given,
          io.cwd,
        );
        if (own && !options.quiet) io.stderr.write(`unweave: ${shownScript(own)}\n`);
        exitCode = await (await handlers()).runStage(method, options, io);
      });

  const untargeted = (flags: Flags): Promise<RunOptions> =>
    resolveOptions(flags, targetOf([], testCommand), io.cwd);

  addFlags(
    stage('run', 'record, predict, force and report: the whole job', help.RUN, 'runPipeline', true).usage(
      '[options] [-- <test command>]\n       unweave run [options] <harness files or folders>',
    ),
    [
      'scope',
      'assume',
      'budget',
      'search',
      'witness',
      'known',
      'changed',
      'shard',
      'list',
      'json',
      'reporters',
      'common',
    ],
  );

  addFlags(
    program
      .command('overlap')
      .description('overlap the requests, or the calls, that tests make one by one')
      .option('--calls', 'asynchronous calls of the code under test instead of requests to a server')
      .usage('[options] [-- <test command>]')
      .addHelpText('after', help.OVERLAP)
      .action(async ({ calls, ...flags }: Flags & { readonly calls?: boolean }) => {
        const given = targetOf([], testCommand);
        const argv = given?.kind === 'command' ? given.argv : testScriptOf(io.cwd).argv;
        const kind = calls ? 'calls' : 'requests';
        const options = await resolveOptions(flags, { kind, argv }, io.cwd);
        exitCode = await (await handlers()).runStage('runPipeline', options, io);
      }),
    ['scope', 'budget', 'search', 'witness', 'known', 'list', 'json', 'reporters', 'common'],
  );

  addFlags(
    program
      .command('explain')
      .description('search longer on one test that is known to be flaky, and tell what decides')
      .argument('[case...]', 'file of the test, its name or a part of that, or both')
      .usage('[options] [file] [name] [-- <test command>]')
      .addHelpText('after', help.EXPLAIN)
      .action(async (given: string[], flags: Flags) => {
        exitCode = await (await handlers()).runExplain(given, flags, testCommand, io);
      }),
    ['explain', 'scope', 'assume', 'budget', 'search', 'witness', 'json', 'reporters', 'common'],
  );

  addFlags(
    stage('plan', 'record and predict once, for machines that share the rest', help.PLAN, 'planOnly', true),
    ['scope', 'assume', 'budget', 'search', 'json', 'common'],
  );
  addFlags(
    stage('work', 'force what a plan has left in a queue that machines share', help.WORK, 'workOnly', true),
    ['queue', 'scope', 'assume', 'budget', 'search', 'known', 'json', 'reporters', 'common'],
  );
  addFlags(
    program
      .command('merge')
      .description('put the stores of all shards together: one report, one store')
      .argument('<store...>', 'the stores on which the shards were run')
      .addHelpText('after', help.MERGE)
      .action(async (files: string[], flags: Flags) => {
        const options = await untargeted(flags);
        exitCode = await (await handlers()).runMerge(files, flags.partial === true, options, io);
      }),
    ['merge', 'known', 'json', 'reporters', 'common'],
  );

  program
    .command('init')
    .description('write a commented configuration and a CI recipe for the project here')
    .addHelpText('after', help.INIT)
    .action(async () => {
      const { init } = await import('./commands/init.ts');
      io.stdout.write(`${(await init(io.cwd)).join('\n')}\n`);
    });

  addFlags(
    program
      .command('report')
      .description('tell again what the store holds, in any form; runs nothing')
      .addHelpText('after', help.REPORT)
      .action(async (flags: Flags) => {
        exitCode = await (await handlers()).runStage('reportStored', await untargeted(flags), io);
      }),
    ['known', 'json', 'reporters', 'common'],
  );
  addFlags(
    program
      .command('inspect')
      .description('show cut points, other predicted orders, locks, schedules and verdicts of the store')
      .argument('[filter...]', 'id, kind of order, entity, file, file:line or part of a test name')
      .addHelpText('after', help.INSPECT)
      .action(async (filters: string[], flags: Flags) => {
        const options = await untargeted(flags);
        const std = stdOptions(flags, options.target);
        exitCode = std
          ? await (await import('./std/inspect.ts')).inspectStd(std, filters, options, io)
          : await (await handlers()).runInspect(filters, options, io);
      }),
    ['std', 'writeStd', 'rows', 'json', 'common'],
  );
  addFlags(
    program
      .command('replay')
      .description('force the order of a bug or schedule again')
      .argument('<id>', 'bug or schedule id of the report, or the file of an exported order')
      .usage('[options] <id> [-- <test command>]')
      .addHelpText('after', help.REPLAY)
      .action(async (id: string, flags: Flags) => {
        const options = await untargeted(flags);
        exitCode = await (await handlers()).runReplay(id, options, io);
      }),
    ['replay', 'witness', 'scope', 'assume', 'json', 'common'],
  );
  addFlags(
    program
      .command('export')
      .description('write a bug as a test of your runner, which forces its order')
      .argument('<id>', 'bug id of the report')
      .addHelpText('after', help.EXPORT)
      .action(async (id: string, flags: Flags) => {
        const options = await untargeted(flags);
        exitCode = await (await handlers()).runExport(id, flags.out ?? null, options, io);
      }),
    ['out', 'common'],
  );
  addFlags(stage('monitor', 'stage 1 alone: record into the store', help.MONITOR, 'monitorOnly', true), [
    'scope',
    'rows',
    'json',
    'common',
  ]);
  addFlags(
    program
      .command('predict')
      .description('stage 2 alone: predict from the store, or from a trace of threads')
      .argument('[harness...]', 'harness files or folders; or a test command after "--"')
      .addHelpText('after', help.PREDICT)
      .action(async (paths: string[], flags: Flags) => {
        const target = targetOf(paths, testCommand);
        const options = await resolveOptions(flags, target, io.cwd);
        const std = stdOptions(flags, target);
        exitCode = std
          ? await (await import('./std/predict.ts')).predictStd(std, options, io)
          : await (await handlers()).runStage('predictOnly', options, io);
      }),
    ['std', 'all', 'assume', 'json', 'common'],
  );
  addFlags(
    stage('reschedule', 'stage 3 alone: force what was predicted', help.RESCHEDULE, 'rescheduleOnly', false),
    ['scope', 'assume', 'budget', 'search', 'witness', 'known', 'json', 'reporters', 'common'],
  );
  await program.parseAsync(withNumbers(own), { from: 'user' });
  return exitCode;
}

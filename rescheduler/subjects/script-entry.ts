/**
 * Entry of a process that runs a script inside the gate. The script's modules come from the linker, so that
 * loading them is over before the run begins. The run ends when nothing is left to happen: natively that is
 * the end of the process, a deadlock only if a top-level await is still unsettled then.
 */
import { NotLinkable } from '../../monitor/modules/linker.ts';
import { plainFailure, withFailure } from '../failure.ts';
import { installGate } from '../gate/session.ts';
import { executeGated } from './execution.ts';
import { ProcessExit } from './exit-trap.ts';
import { type ForceResult, leaveChildrenAlone, loaderOption, ownJob, ownRecipe, writeWhole } from './job.ts';
import { beginJournal } from './journal.ts';
import { createUserLinker } from './linker.ts';
import { loadScript } from './load-script.ts';
import { scriptRunner } from './unseen-runners.ts';

const job = ownJob();
if (job?.mode !== 'force') throw new Error('this entry is started by unweave only');
const { target, out, execution } = job;
process.argv.splice(1, 1);

installGate();
const linker = createUserLinker();
const recipe = ownRecipe(job);
const natively = (): Promise<unknown> => loadScript(target.file, recipe);
let start = (): Promise<unknown> | null => linker.instance(target.file).start(target.file);
// The command of a runner is no module of the user's, which the linker would carry out as it loads it.
if (loaderOption(recipe) || scriptRunner(target.file) !== null) start = natively;
else {
  try {
    await linker.load(target.file);
  } catch (error) {
    // Syntax errors and missing files are Node's to report, too.
    if (!(error instanceof NotLinkable)) throw error;
    start = natively;
  }
}

leaveChildrenAlone(job);

/** What the script itself throws goes where its callbacks' exceptions go, if anybody listens. */
function threw(error: unknown): void {
  const isHeard =
    process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback();
  if (error instanceof ProcessExit || !isHeard) throw error;
  process.nextTick(() => {
    throw error;
  });
}

/** Without a promise where the script needs none: hooks that it sets would hear of that. */
function run(): Promise<unknown> | undefined {
  // Nothing has matched an expression before a script, as far as that shows.
  /(?:)/.test('');
  try {
    return start()?.catch(threw);
  } catch (error) {
    threw(error);
    return undefined;
  }
}

const journal = beginJournal(out);
const executed = await executeGated(run, execution, { until: 'idle', trapExit: true, isLast: true, journal });
let { result } = executed;
const { trace, error } = executed;
const code = Number(process.exitCode ?? 0);
if (result.outcome === 'pass' && code !== 0) {
  result = withFailure(result, plainFailure('exception', 'ExitCode', `exit code ${code}`));
} else if (error instanceof ProcessExit && error.exitCode === 0) {
  result = { ...result, outcome: 'pass', failure: null };
}
writeWhole(out, { result, trace } satisfies ForceResult);
if (error instanceof ProcessExit) error.leave();
if (result.outcome !== 'pass') process.exit(1);

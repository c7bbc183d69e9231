/** Runs the scenarios that it is sent, each plainly and instrumented, and sends back how they ended. */
import { stripTypeScriptTypes } from 'node:module';
import { instrument } from '../../monitor/instrument/index.ts';
import { runtime } from '../../monitor/runtime/index.ts';
import type { Scenario } from './cases.ts';
import { linkedOutcome } from './linked.ts';
import { type Change, outcome, type Suite } from './outcome.ts';

export interface Job {
  readonly suite: Suite;
  readonly scenarios: readonly Scenario[];
  /** The tests are taken for TypeScript, whose types Node takes away. */
  readonly typescript: boolean;
  /** Modules are linked by us. */
  readonly linked: boolean;
}

export interface Result {
  readonly scenario: Scenario;
  readonly plain: string;
  /** Null: nothing to compare. */
  readonly ours: string | null;
}

let typescript = false;
const stripped: Change = (text) => (typescript ? stripTypeScriptTypes(text) : text);

/** What does not parse is run as it is. */
const instrumented: Change = (text, kind, file) => {
  const firstSite = runtime.nextSite();
  let made: ReturnType<typeof instrument>;
  try {
    made = instrument(text, { file, kind, typescript, firstSite });
  } catch (error) {
    if (error instanceof SyntaxError) return stripped(text, kind, file);
    throw new Error('the instrumenter failed', { cause: error });
  }
  runtime.registerSites(made.sites);
  runtime.registerText(firstSite, made.sites.length, made.code, made.inserted);
  return stripped(made.code, kind, file);
};

async function both({ suite, linked }: Job, scenario: Scenario): Promise<Result> {
  const ended = async (run: typeof outcome | typeof linkedOutcome, change: Change) =>
    run(suite, scenario, change).catch((error: Error) => `outside: ${error.name} ${error.message}`);
  const plain = (await ended(outcome, stripped))!;
  process.send!(plain);
  runtime.beginRun();
  runtime.sink = { access: () => {}, lock: () => {} };
  const ours = await ended(linked ? linkedOutcome : outcome, instrumented);
  runtime.sink = null;
  return { scenario, plain, ours };
}

// Tests reject promises that nobody waits for, and throw where nobody can catch.
process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});
process.emitWarning = () => {};
process.on('message', async (job: Job) => {
  typescript = job.typescript;
  for (const scenario of job.scenarios) {
    process.send!(await both(job, scenario));
  }
  process.disconnect();
});

/** Random orders of a harness inside one process: `state` fresh only, or (`modules`) the module, too. */

import type * as Runtime from '../../monitor/runtime/index.ts';
import type * as Gate from '../../rescheduler/gate/session.ts';
import type * as Execution from '../../rescheduler/subjects/execution.ts';
import type * as Run from '../../rescheduler/subjects/harness-run.ts';
import type * as Linker from '../../rescheduler/subjects/linker.ts';
import { serveRounds } from '../lib/contest.ts';
import { benchFile, ours } from '../lib/ours.ts';

const [program, freshness] = process.argv.slice(2) as [string, string];
const file = benchFile(`programs/forced-${program}.mjs`);
const { HarnessRunner } = await ours<typeof Run>('rescheduler/subjects/harness-run');
const { executeGated } = await ours<typeof Execution>('rescheduler/subjects/execution');
const { createUserLinker } = await ours<typeof Linker>('rescheduler/subjects/linker');
const { runtime } = await ours<typeof Runtime>('monitor/runtime/index');
const { installGate } = await ours<typeof Gate>('rescheduler/gate/session');

const limits = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 10_000 };
let seed = 0;
const execution = () =>
  ({ spec: { kind: 'random', seed: seed++ }, limits, wantChoices: false, record: false }) as const;

/** As the worker does it: a fresh instance of the module for every run. */
function freshModules(): () => Promise<{ steps: readonly string[] }> {
  const runner = new HarnessRunner(createUserLinker());
  return async () => (await runner.run({ kind: 'run', file, name: 'forced', ...execution() })).result;
}

/** One instance of the module, fresh state from `setup`. */
async function freshState(): Promise<() => Promise<{ steps: readonly string[] }>> {
  const holder = globalThis as unknown as Record<symbol, any[]>;
  const key = Symbol.for('unweave.harnesses');
  holder[key] = [];
  const linker = createUserLinker();
  await linker.load(file);
  await linker.instance().import(file);
  const [harness] = holder[key];
  return async () => {
    const state = harness.setup({});
    const { result } = await executeGated((root) => {
      const running = Object.entries<any>(harness.tasks).map(([name, task]) =>
        runtime.runAsBody(runtime.taskFrame(name, root), () => task(state)),
      );
      return Promise.all(running);
    }, execution());
    await harness.check(state);
    return result;
  };
}

const once = freshness === 'modules' ? freshModules() : await freshState();

serveRounds(async (work) => {
  for (let i = 0; i < work; i++) {
    const { steps } = await once();
    if (steps.length === 0) throw new Error('nothing was forced');
  }
});
// As in the worker: after the channel is in use.
installGate();

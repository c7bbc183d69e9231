/**
 * Runs a program plainly, inside the gate, or recorded. In the latter two the process is preloaded, so that
 * the program is instrumented.
 */

import type * as Runtime from '../../monitor/runtime/index.ts';
import type * as Gate from '../../rescheduler/gate/session.ts';
import type * as Execution from '../../rescheduler/subjects/execution.ts';
import { serveRounds } from '../lib/contest.ts';
import { ours } from '../lib/ours.ts';

const [program, mode] = process.argv.slice(2) as [string, 'plain' | 'gated' | 'recorded'];
const { run } = (await import(`../programs/${program}.mjs`)) as { run(work: number): Promise<void> };

if (mode === 'plain') serveRounds(run);
else {
  const { executeGated } = await ours<typeof Execution>('rescheduler/subjects/execution');
  const { runtime } = await ours<typeof Runtime>('monitor/runtime/index');
  const { installGate } = await ours<typeof Gate>('rescheduler/gate/session');
  const limits = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 120_000 };
  serveRounds(async (work) => {
    const { result, trace } = await executeGated((root) => runtime.runAsBody(root, () => run(work)), {
      spec: { kind: 'observed' },
      limits,
      wantChoices: false,
      record: mode === 'recorded',
    });
    if (result.outcome !== 'pass') throw new Error(result.failure?.stack);
    if (mode === 'recorded' && !trace?.events.length) throw new Error('nothing was recorded');
  });
  installGate();
}

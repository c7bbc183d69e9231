/** Programs behave under the gate exactly as natively, in the observed order and in random ones. */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { WHOLE } from '../../extent.ts';
import { Directories, gated, random } from '../../rescheduler/gate/support.ts';
import { compound } from './scenarios/compound.ts';
import { files, prepare } from './scenarios/files.ts';
import { jobs } from './scenarios/jobs.ts';
import type { Scenario } from './scenarios/outcome.ts';
import { outside } from './scenarios/outside.ts';
import { sockets } from './scenarios/sockets.ts';
import { timers } from './scenarios/timers.ts';

const scenarios: Record<string, Scenario> = {
  ...files,
  ...compound,
  ...timers,
  ...jobs,
  ...sockets,
  ...outside,
};
const directories = new Directories();
after(() => directories.remove());

/** Runs a scenario in a directory of its own and takes the directory out of what it saw. */
async function seen(run: (directory: string) => Promise<unknown>): Promise<string> {
  const directory = directories.fresh();
  prepare(directory);
  return JSON.stringify(await run(directory)).replaceAll(directory, '*');
}

async function under(result: ReturnType<typeof gated<unknown>>): Promise<unknown> {
  const { status, value, error } = await result;
  return status === 'ok' ? value : [status, String((error as Error)?.stack)];
}

/** Natively a busy machine may fire a timer late: such a run is made again, a real difference stays. */
async function same(scenario: Scenario, gatedAs: string, label: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const native = await seen(scenario);
    if (native !== gatedAs && attempt < 5) continue;
    assert.equal(gatedAs, native, label);
    return;
  }
}

describe('behaves as natively', { concurrency: false }, () => {
  for (const [name, scenario] of Object.entries(scenarios))
    it(name, async () => {
      await same(scenario, await seen((d) => under(gated(() => scenario(d)))), 'observed order');
      for (const seed of WHOLE ? [1, 2] : [1])
        await same(scenario, await seen((d) => under(random(() => scenario(d), seed))), `seed ${seed}`);
    });
});

it('the table has at least 120 scenarios', () => {
  assert.ok(Object.keys(scenarios).length >= 120, String(Object.keys(scenarios).length));
});

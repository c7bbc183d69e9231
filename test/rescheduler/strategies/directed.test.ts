import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DirectedStrategy } from '../../../rescheduler/strategies/directed.ts';
import type { ReadyStep, Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { QUIET } from './support.ts';

const first: Strategy = { choose: (enabled) => enabled[0]! };
const step = (name: string, kind = 'deliver') => ({ name, step: { kind } }) as unknown as ReadyStep;

test('everything else comes before the step that waits for it, but no timer that is not asked for', () => {
  const strategy = new DirectedStrategy(['D:time-out', '*', 'E:late'], first);
  const ready = [step('E:late', 'effect'), step('D:other timer', 'timer'), step('D:time-out', 'timer')];
  const taken: string[] = [];
  for (const more of ['D:close', 'D:reply', null, null]) {
    const { name } = strategy.choose(ready, QUIET) as ReadyStep;
    taken.push(name);
    ready.splice(
      ready.findIndex((r) => r.name === name),
      1,
    );
    if (more) ready.push(step(more));
  }
  assert.deepEqual(taken, ['D:time-out', 'D:close', 'D:reply', 'E:late']);
  assert.ok(strategy.complete);
});

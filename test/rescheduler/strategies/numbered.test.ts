import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trace } from '../../../data/trace.ts';
import { likeIn } from '../../../rescheduler/explain/closer.ts';
import { NumberedStrategy } from '../../../rescheduler/strategies/numbered.ts';
import type { ReadyStep, Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { QUIET } from './support.ts';

const first: Strategy = { choose: (enabled) => enabled[0]! };
const step = (name: string, id: number) => ({ name, request: { id } }) as unknown as ReadyStep;

/** As a run with one request of each name had it. */
const trace = (names: string[], steps: string[]) =>
  ({ requests: names.map((name) => ({ name })), steps }) as unknown as Trace;

test('the steps of a run are taken under other names, and then as observed', () => {
  const spec = likeIn(trace(['root|open#1', 'root|timer#1'], ['D:root|timer#1', '2:root|open#1']));
  assert.deepEqual(spec, { kind: 'numbered', steps: ['D:2', '2:1'] });
  const strategy = new NumberedStrategy(['D:2', '2:1'], first);
  const [open, timer] = [step('D:load#0|open#1', 1), step('D:load#0|timer#1', 2)];
  assert.equal(strategy.early([step('1:load#0|open#1', 1)]), null);
  assert.equal(strategy.choose([open, timer], QUIET), timer);
  const early = step('2:load#0|open#1', 1);
  assert.equal(strategy.early([early]), early);
  assert.ok(strategy.complete);
  assert.equal(strategy.choose([open], QUIET), open);
});

test('where the run goes another way it says so, once', () => {
  const strategy = new NumberedStrategy(['E:3', 'D:1'], first);
  const open = step('D:open', 1);
  assert.deepEqual(strategy.choose([open], QUIET), { stop: 'diverged', wanted: 'E:3', at: 0 });
  assert.equal(strategy.choose([open], QUIET), open);
  assert.equal(strategy.complete, false);
});

test('a step of no request that the run issued has no place in its order', () => {
  assert.equal(likeIn(trace(['root|open#1'], ['D:root|other#1'])), null);
});

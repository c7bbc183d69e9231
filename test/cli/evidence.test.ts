/** The failing order of a confirmed bug is recorded, also when the time for its test is over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StageContext } from '../../cli/stages/context.ts';
import { recordInGrace } from '../../cli/stages/evidence.ts';
import type { Trace } from '../../data/trace.ts';

const trace = {} as Trace;
const over = AbortSignal.abort();
const open = new AbortController().signal;

/** A context whose own time is over, within a run that is or is not. */
function within(run: AbortSignal, record: () => Promise<unknown>): StageContext {
  const whole = { signal: run, within: () => ({ record }) };
  return { signal: over, whole, record: () => Promise.reject(new Error('ended')) } as unknown as StageContext;
}
const ask = (context: StageContext) =>
  recordInGrace(context, {} as never, {} as never, { assumed: {} as never, cutPoint: null });

test('a budget that ends during the explanation leaves the recording', async () => {
  const record = async () => ({ trace, result: { outcome: 'fail' } });
  assert.equal(await ask(within(open, record)), trace);
});

test('nothing is recorded for a user who has interrupted the run, and nothing of a run that passes', async () => {
  const never = () => assert.fail('recorded');
  assert.equal(await ask(within(over, never)), null);
  assert.equal(await ask(within(open, async () => ({ trace, result: { outcome: 'pass' } }))), null);
});

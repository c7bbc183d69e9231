/** When the gate looks again: what it waits for is over once it has been woken. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Waking } from '../../../rescheduler/gate/waking.ts';

it('is not waiting any more where it was woken, so that whoever looks then can wait anew', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const waking = new Waking(() => resolve(waking.waiting));
  waking.within(1);
  assert.equal(waking.waiting, true);
  assert.equal(await promise, false);
  waking.within(1000);
  assert.equal(waking.waiting, true);
  waking.never();
  assert.equal(waking.waiting, false);
});

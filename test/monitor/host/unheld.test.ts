/** What comes when it comes is waited for: a run with nothing else to do is no deadlock. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import test from 'node:test';
import { gated } from '../../rescheduler/gate/support.ts';

const words = () => new Int32Array(new SharedArrayBuffer(4));

test('a wait that ends with its time', async () => {
  const main = async () => {
    const { value } = Atomics.waitAsync(words(), 0, 0, 20);
    assert.equal(await value, 'timed-out');
  };
  // By itself such a wait keeps no process alive.
  const { status, error } = await gated(main, { keptAlive: true });
  assert.equal(status, 'ok', String(error));
  assert.equal((await gated(main)).status, 'deadlock');
});

test('a wait without a limit that nobody ends is a deadlock', async () => {
  const { status } = await gated(async () => void (await Atomics.waitAsync(words(), 0, 0).value));
  assert.equal(status, 'deadlock');
});

test('a wait that is notified', async () => {
  const main = async () => {
    const word = words();
    const { value } = Atomics.waitAsync(word, 0, 0, 60_000);
    await stat('.');
    Atomics.notify(word, 0);
    assert.equal(await value, 'ok');
  };
  const { status, error } = await gated(main);
  assert.equal(status, 'ok', String(error));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

test('two additions', async () => {
  const state = { balance: 0 };
  const add = async () => {
    state.balance += 1;
    await sleep(1);
  };
  await Promise.all([add(), add()]);
  assert.equal(state.balance, 2);
});

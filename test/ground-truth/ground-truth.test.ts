import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installLockHooks } from '../../monitor/locks/hooks.ts';
import { extent } from '../extent.ts';

installLockHooks();

test('prediction agrees with the enumeration of every order of small programs', async () => {
  const { study } = await import('./study.ts');
  const found = await study(1, extent(6, 24), 400);
  assert.ok(found.programs >= extent(5, 20));
  assert.ok(found.medianOrders >= 30, `median of ${found.medianOrders} orders`);
  assert.ok(found.withPattern >= found.programs / 3);
  assert.ok(found.missed <= found.reachable * 0.02, JSON.stringify(found.odd));
  assert.ok(found.followed > 0);
  assert.equal(found.impossible, 0);
  assert.ok(found.unreachable <= found.predicted * 0.05, JSON.stringify(found.odd));
});

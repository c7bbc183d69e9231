/**
 * Object pool, return against close (pool 1.2 of Penelope's evaluation, and the repaired 1.3).
 * Bad: `giveBack` validates the object with the factory; `close` empties the field; passivating it fails.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { poolTwins } from '../lib/pool-harness.ts';

poolTwins('pool-return-close', 'lent', {
  giveBack: ({ pool, lent }) => pool.giveBack(lent!),
  close: async ({ pool }) => {
    await sleep(80);
    await pool.close();
  },
});

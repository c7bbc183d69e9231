/**
 * Object pool, borrow against close (pool 1.2 of Penelope's evaluation, and the repaired 1.3).
 * Bad: `borrow` makes an object with the factory; `close` empties the field; activating the object fails.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { poolTwins, unlessRefused } from '../lib/pool-harness.ts';

poolTwins('pool-borrow-close', 'fresh', {
  borrow: ({ pool }) => unlessRefused(pool.borrow()),
  close: async ({ pool }) => {
    await sleep(80);
    await pool.close();
  },
});

/**
 * Object pool, borrow against set-factory (pool 1.2 of Penelope's evaluation, and the repaired 1.3).
 * Bad: `borrow` makes an object with one factory; no object counts as active yet, so `setFactory` is
 * allowed; the new factory is to activate the object of the old one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ScratchFactory } from '../lib/pool-factory.ts';
import { poolTwins, unlessRefused } from '../lib/pool-harness.ts';

poolTwins('pool-borrow-set-factory', 'fresh', {
  borrow: async ({ pool }) => {
    const scratch = await pool.borrow();
    await pool.giveBack(scratch);
  },
  setFactory: async ({ dir, pool }) => {
    await sleep(80);
    await unlessRefused(pool.setFactory(new ScratchFactory(dir, 'red')));
  },
});

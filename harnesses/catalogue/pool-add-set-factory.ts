/**
 * Object pool, add against set-factory (pool 1.2 of Penelope's evaluation, and the repaired 1.3).
 * Bad: `add` makes an object with one factory; `setFactory` changes it; the new one is to passivate the
 * object of the old one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ScratchFactory } from '../lib/pool-factory.ts';
import { poolTwins, unlessRefused } from '../lib/pool-harness.ts';

poolTwins('pool-add-set-factory', 'fresh', {
  add: ({ pool }) => unlessRefused(pool.add()),
  setFactory: async ({ dir, pool }) => {
    await sleep(80);
    await unlessRefused(pool.setFactory(new ScratchFactory(dir, 'red')));
  },
});

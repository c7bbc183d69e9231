import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MORE } from '../extent.ts';
import { chance, GOAL, hunt, needle } from './hunt.ts';

test(
  'one race among many tasks is confirmed within a few predicted orders, and hardly ever by chance',
  MORE,
  async () => {
    const subject = await needle();
    try {
      const found = await hunt(subject, 1);
      assert.ok(found.tasks >= GOAL.tasks, `${found.tasks} other tasks`);
      assert.ok(found.events >= GOAL.events, `${found.events} events`);
      assert.ok(found.cutPoints >= GOAL.cutPoints, `${found.cutPoints} cut points`);
      assert.ok(found.schedules <= GOAL.schedules, 'not found');
      assert.equal(found.entity, 'Register#total');
      // The whole measure is `npm run needle`.
      assert.equal(await chance(subject, 2), 0);
    } finally {
      await subject.close();
    }
  },
);

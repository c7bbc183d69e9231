/** How the tests of a plan are divided. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PlannedTest, testsOf } from '../../data/plan.ts';

const planned = fc.uniqueArray(
  fc.record({ id: fc.string(), orders: fc.array(fc.constant('x'), { maxLength: 40 }) }),
  { selector: ({ id }) => id, maxLength: 30 },
);

test('each test is in one shard, wherever that is worked out, and no shard has two tests too many', () => {
  fc.assert(
    fc.property(planned, fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.nat()), (tests, of, chance) => {
      const shuffled = tests
        .map((each) => [chance.next().value as number, each] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, each]) => each);
      const shards = Array.from({ length: of }, (_, at) => testsOf(tests, { index: at + 1, of }));
      assert.deepEqual(shards.flatMap((ids) => [...ids]).sort(), tests.map(({ id }) => id).sort());
      for (const [at, ids] of shards.entries())
        assert.deepEqual(testsOf(shuffled, { index: at + 1, of }), ids);
      const weights = shards.map((ids) => weightOf(tests.filter(({ id }) => ids.has(id))));
      const heaviest = Math.max(0, ...tests.map((each) => weightOf([each])));
      assert.ok(Math.max(...weights) - Math.min(...weights) <= heaviest);
    }),
  );
});

const weightOf = (tests: readonly PlannedTest[]): number =>
  tests.reduce((sum, { orders }) => sum + orders.length, 0);

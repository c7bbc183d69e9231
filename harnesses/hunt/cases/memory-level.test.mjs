// Two handlers write in batches, one reads.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryLevel } from 'memory-level';

test('a batch is seen as a whole', async () => {
  const db = new MemoryLevel({ valueEncoding: 'json' });
  await db.batch([
    { type: 'put', key: 'a', value: 0 },
    { type: 'put', key: 'b', value: 0 },
  ]);
  const move = (n) =>
    db.batch([
      { type: 'put', key: 'a', value: n },
      { type: 'put', key: 'b', value: -n },
    ]);
  const sum = async () => {
    const [a, b] = await db.getMany(['a', 'b']);
    return a + b;
  };
  const [, , total] = await Promise.all([move(1), sleep(20).then(() => move(2)), sleep(20).then(sum)]);
  assert.equal(total, 0);
});

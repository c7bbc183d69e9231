// A circuit that is half open lets one request through.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import CircuitBreaker from 'opossum';
import { freshDirectory } from './directory.mjs';

test('a half open circuit is tried by one request at a time', async (t) => {
  const dir = await freshDirectory(t);
  let running = 0;
  const breaker = new CircuitBreaker(
    async () => {
      running += 1;
      assert.equal(running, 1);
      try {
        return await readFile(join(dir, 'nothing'), 'utf8');
      } finally {
        running -= 1;
      }
    },
    { timeout: false, errorThresholdPercentage: 1, resetTimeout: 30, volumeThreshold: 0 },
  );
  t.after(() => breaker.shutdown());
  const fire = () => breaker.fire().catch((error) => assert.match(error.code, /ENOENT|EOPENBREAKER/));
  await fire();
  await Promise.all([sleep(50).then(fire), sleep(120).then(fire)]);
});

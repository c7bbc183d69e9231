// Three requests, two are allowed.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { freshDirectory } from './directory.mjs';

test('two of three requests are served', async (t) => {
  const file = join(await freshDirectory(t), 'page');
  await writeFile(file, 'page');
  const limiter = new RateLimiterMemory({ points: 2, duration: 60 });
  const request = async () => {
    try {
      await limiter.consume('ann');
    } catch {
      return 'refused';
    }
    return await readFile(file, 'utf8');
  };
  const answers = await Promise.all([request(), sleep(30).then(request), sleep(60).then(request)]);
  assert.deepEqual(answers.toSorted(), ['page', 'page', 'refused']);
});

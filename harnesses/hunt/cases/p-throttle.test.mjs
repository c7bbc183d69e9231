// One call in 100 ms.
import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pThrottle from 'p-throttle';
import { freshDirectory } from './directory.mjs';

test('calls keep their distance', async (t) => {
  const file = join(await freshDirectory(t), 'log');
  const starts = [];
  const send = pThrottle({ limit: 1, interval: 100 })(async (line) => {
    starts.push(Date.now());
    await appendFile(file, line);
  });
  await Promise.all([send('a'), sleep(30).then(() => send('b')), sleep(60).then(() => send('c'))]);
  assert.equal((await readFile(file, 'utf8')).length, 3);
  for (let i = 1; i < starts.length; i += 1) assert.ok(starts[i] - starts[i - 1] >= 95, starts.join());
});

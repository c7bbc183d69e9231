// Two logs in a folder that is not there yet.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStream } from 'rotating-file-stream';
import { freshDirectory } from './directory.mjs';

test('both logs are written', async (t) => {
  const path = join(await freshDirectory(t), 'log');
  const write = async (name) => {
    const stream = createStream(name, { path, size: '1M' });
    stream.end(name);
    await once(stream, 'finish');
  };
  await Promise.all([write('access.log'), sleep(100).then(() => write('error.log'))]);
  assert.equal(await readFile(join(path, 'access.log'), 'utf8'), 'access.log');
  assert.equal(await readFile(join(path, 'error.log'), 'utf8'), 'error.log');
});

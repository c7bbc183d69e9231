// A log is written while it is rotated.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import SonicBoom from 'sonic-boom';
import { freshDirectory } from './directory.mjs';

test('no line is lost when the file is reopened', async (t) => {
  const dir = await freshDirectory(t);
  const file = join(dir, 'log');
  const log = new SonicBoom({ dest: file, sync: false });
  await once(log, 'ready');
  const rotate = async () => {
    await rename(file, join(dir, 'old'));
    log.reopen();
    await once(log, 'ready');
  };
  const write = async () => {
    log.write('one\n');
    await sleep(60);
    log.write('two\n');
  };
  await Promise.all([write(), sleep(50).then(rotate)]);
  log.end();
  await once(log, 'close');
  const text = (await readFile(join(dir, 'old'), 'utf8')) + (await readFile(file, 'utf8'));
  assert.deepEqual(text.split('\n').filter(Boolean).sort(), ['one', 'two']);
});

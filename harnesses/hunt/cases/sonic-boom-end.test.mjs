// A log is rotated and closed while a line is on its way.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import SonicBoom from 'sonic-boom';
import { freshDirectory } from './directory.mjs';

test('the log is closed, and no line is lost', async (t) => {
  const dir = await freshDirectory(t);
  const [file, old] = [join(dir, 'log'), join(dir, 'old')];
  const log = new SonicBoom({ dest: file, sync: false });
  await once(log, 'ready');
  const write = async () => {
    log.write('one\n');
  };
  const rotate = async () => {
    await rename(file, old);
    log.reopen();
    log.write('two\n');
  };
  await Promise.all([write(), sleep(50).then(rotate)]);
  await sleep(50);
  log.end();
  await once(log, 'close');
  const text = (await readFile(old, 'utf8')) + (await readFile(file, 'utf8'));
  assert.deepEqual(text.split('\n').filter(Boolean).sort(), ['one', 'two']);
});

// A process builds a cache file; who asks meanwhile counts by itself where there is none yet.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

async function lampsIn(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8')).lamps;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return 3;
  }
}

async function warmed(way) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'cache.json');
  const child = fork(new URL('./warmed.child.js', import.meta.url), [path, way]);
  await once(child, 'message');
  const ended = once(child, 'exit');
  child.send('begin');
  await sleep(300);
  assert.equal(await lampsIn(path), 3);
  await ended;
  await rm(dir, { recursive: true });
}

test('racy', () => warmed('in place'));
test('repaired', () => warmed('renamed'));

// Each of two processes leaves its file work to a thread of its own.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

async function counted(together) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'n');
  await writeFile(path, '0');
  const start = () => once(fork(new URL('./threads.child.js', import.meta.url), [path]), 'exit');
  if (together) await Promise.all([start(), start()]);
  else for (let i = 0; i < 2; i++) await start();
  assert.equal(await readFile(path, 'utf8'), '2');
  await rm(dir, { recursive: true });
}

test('racy', () => counted(true));
test('repaired', () => counted(false));

// A nightly import runs in a process of its own while the shop writes the same file.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

async function imported(waits) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'stock.json');
  await writeFile(path, '{}');
  const child = fork(new URL('./import.child.js', import.meta.url), [path]);
  const ended = once(child, 'exit');
  const sell = async () => {
    const stock = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...stock, chairs: 1 }));
  };
  // The shop opens later than the import usually takes.
  if (waits) await ended;
  else await sleep(400);
  await Promise.all([sell(), ended]);
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { lamps: 3, chairs: 1 });
  await rm(dir, { recursive: true });
}

test('racy', () => imported(false));
test('repaired', () => imported(true));

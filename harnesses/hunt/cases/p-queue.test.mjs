// Two jobs at a time; the queue is waited for, paused and started again.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { freshDirectory } from './directory.mjs';

test('never more than two jobs run, and idle means that all are done', async (t) => {
  const file = join(await freshDirectory(t), 'job');
  await writeFile(file, '');
  const queue = new PQueue({ concurrency: 2 });
  let running = 0;
  let done = 0;
  const job = async () => {
    running += 1;
    assert.ok(running <= 2);
    await readFile(file);
    running -= 1;
    done += 1;
  };
  const restart = async () => {
    queue.pause();
    await sleep(10);
    queue.start();
  };
  await Promise.all([
    queue.addAll([job, job]),
    sleep(50).then(() => queue.add(job)),
    sleep(60).then(restart),
  ]);
  await queue.onIdle();
  assert.equal(done, 3);
});

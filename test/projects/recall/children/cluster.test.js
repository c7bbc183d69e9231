// Workers of a cluster count pages in one file; the repaired ones in a file each, which are added up.
import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

async function counted(own) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'counts');
  const files = own ? [`${path}.0`, `${path}.1`] : [path];
  for (const file of files) await writeFile(file, '{}');
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./cluster.child.js', import.meta.url)) });
  const workers = [0, 1].map((ID) => cluster.fork({ COUNTS: path, ID }));
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const pages = ['index', 'cart'];
  await Promise.all(
    workers.map(async (worker, at) => {
      const counts = once(worker, 'message');
      await sleep(300 * at);
      worker.send({ page: pages[at], own });
      await counts;
    }),
  );
  const ends = workers.map((worker) => once(worker, 'exit'));
  for (const worker of workers) worker.send('end');
  await Promise.all(ends);
  const counts = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  assert.deepEqual(Object.assign({}, ...counts), { index: 1, cart: 1 });
  await rm(dir, { recursive: true });
}

test('racy', () => counted(false));
test('repaired', () => counted(true));

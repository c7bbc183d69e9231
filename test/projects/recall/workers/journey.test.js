// Threads enter their stops in one file, and whoever finds none writes its first line; the repaired ones find it. The second
// one is started much later.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

async function travelled(repaired) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'journey');
  if (repaired) await writeFile(path, 'stops\n');
  const enter = async (stop) => {
    const worker = new Worker(new URL('./journey.worker.js', import.meta.url), {
      workerData: { path, stop, repaired },
    });
    await once(worker, 'exit');
  };
  await Promise.all([enter('Bern'), sleep(500).then(() => enter('Thun'))]);
  const stops = (await readFile(path, 'utf8')).trim().split('\n').slice(1);
  assert.deepEqual(stops.toSorted(), ['Bern', 'Thun']);
  await rm(dir, { recursive: true });
}

test('racy', () => travelled(false));
test('repaired', () => travelled(true));

// A journal that threads write, under a lock made of two steps.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAll } from './pool.js';

async function written(repaired) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'journal.json');
  await writeFile(path, '[]');
  const lock = new Int32Array(new SharedArrayBuffer(4));
  await runAll('./journal.worker.js', ['a', 'b'].map((name) => ({ lock, path, name, repaired })));
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')).toSorted(), ['a', 'b']);
  await rm(dir, { recursive: true });
}

test('racy', () => written(false));
test('repaired', () => written(true));

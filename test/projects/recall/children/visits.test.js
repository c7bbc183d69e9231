// Two processes count visits in one JSON file; the repaired one starts the second after the first.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

async function counted(together) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'visits.json');
  await writeFile(path, '{"count":0}');
  const visit = async () => once(fork(new URL('./visits.child.js', import.meta.url), [path]), 'exit');
  if (together) await Promise.all([visit(), visit()]);
  else for (let i = 0; i < 2; i++) await visit();
  assert.equal(JSON.parse(await readFile(path, 'utf8')).count, 2);
  await rm(dir, { recursive: true });
}

test('racy', () => counted(true));
test('repaired', () => counted(false));

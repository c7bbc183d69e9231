// Two processes count visits in one JSON file; the repaired ones in a file each, which are added up.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAll } from './begun.js';

async function counted(names) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const paths = names.map((name) => join(dir, name));
  for (const path of paths) await writeFile(path, '{"count":0}');
  await runAll('./visits.child.js', paths.map((path) => [path]));
  const counts = [];
  for (const path of new Set(paths)) counts.push(JSON.parse(await readFile(path, 'utf8')).count);
  assert.equal(counts.reduce((sum, count) => sum + count), 2);
  await rm(dir, { recursive: true });
}

test('racy', () => counted(['visits.json', 'visits.json']));
test('repaired', () => counted(['a.json', 'b.json']));

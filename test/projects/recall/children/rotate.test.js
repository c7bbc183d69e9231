// Two processes write one log, and each rotates it when it is long; the repaired ones have a log each.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAll } from './begun.js';

async function logged(own) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'log');
  await writeFile(path, 'begin of a long log');
  await runAll('./rotate.child.js', [[path, 'one', own], [path, 'two', own]]);
  const files = [];
  for (const name of await readdir(dir)) files.push(await readFile(join(dir, name), 'utf8'));
  const all = files.join('\n');
  for (const line of ['begin', 'one', 'two']) assert.ok(all.includes(line), line);
  await rm(dir, { recursive: true });
}

test('racy', () => logged(''));
test('repaired', () => logged('own'));

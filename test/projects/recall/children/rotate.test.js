// Two processes write one log, and each rotates it when it is long; the repaired ones have a log each.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

async function logged(repaired) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'log');
  await writeFile(path, 'begin\n');
  const write = (line) => once(fork(new URL('./rotate.child.js', import.meta.url), [path, line, repaired]), 'exit');
  const codes = await Promise.all([write('one'), write('two')]);
  assert.deepEqual(codes.map(([code]) => code), [0, 0]);
  const files = await Promise.all((await readdir(dir)).map((name) => readFile(join(dir, name), 'utf8')));
  const all = files.join('');
  for (const line of ['begin', 'one', 'two']) assert.ok(all.includes(`${line}\n`), line);
  await rm(dir, { recursive: true });
}

test('racy', () => logged(''));
test('repaired', () => logged('own'));

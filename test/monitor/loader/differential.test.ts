/** Programs with unusual syntax, run plainly and under the preload: they print the same. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { project, runIn } from './helpers.ts';

/** Kept as `.txt`, because no tool shall read, format or strip them. */
const folder = fileURLToPath(new URL('differential/', import.meta.url));
const names = globSync('**/*.txt', { cwd: folder }).map((name) => name.slice(0, -'.txt'.length));
const files = Object.fromEntries(names.map((name) => [name, readFileSync(`${folder}${name}.txt`, 'utf8')]));
const mains = names.filter((name) => !name.includes('/') || /esm\/(a|k|tla1)\.mjs$/.test(name)).sort();

const dir = project({ 'package.json': '{}', ...files });

for (const main of mains)
  test(main, () => {
    const plain = spawnSync(process.execPath, ['--no-warnings', main], { cwd: dir, encoding: 'utf8' });
    assert.notEqual(plain.stdout, '', plain.stderr);
    const { stdout, status, stderr } = runIn(dir, main);
    assert.deepEqual({ stdout, status }, { stdout: plain.stdout, status: plain.status }, stderr);
  });

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { killGroup, spawnGroup } from '../../../rescheduler/subjects/groups.ts';
import { exists, project, until } from './projects.ts';

/** A program that starts a child, prints both ids and stays. */
const FAMILY = `const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
console.log(process.pid + ' ' + child.pid);
setInterval(() => {}, 1000);`;

type Lines = AsyncIterator<string>;
const linesOf = (child: ChildProcess): Lines => createInterface(child.stdout!)[Symbol.asyncIterator]();
const words = async (lines: Lines): Promise<string[]> => (await lines.next()).value.split(' ');
const pids = async (lines: Lines): Promise<number[]> => (await words(lines)).map(Number);

test('killing a program kills what it started', async () => {
  const child = spawnGroup(process.execPath, ['-e', FAMILY], { stdio: ['ignore', 'pipe', 'ignore'] });
  const family = await pids(linesOf(child));
  assert.equal(family.length, 2);
  assert.ok(family.every(exists));
  killGroup(child);
  await until(() => !family.some(exists));
});

test('what a program leaves behind when it ends is killed', async () => {
  const leaving = FAMILY.replace('setInterval(() => {}, 1000);', 'child.unref();');
  const child = spawnGroup(process.execPath, ['-e', `${leaving}`], { stdio: ['ignore', 'pipe', 'ignore'] });
  const family = await pids(linesOf(child));
  await until(() => !family.some(exists));
});

test('nothing stays when we are killed outright', async () => {
  const groups = new URL('../../../rescheduler/subjects/groups.ts', import.meta.url).href;
  const dir = project({
    'parent.mjs': `import { spawnGroup } from '${groups}'; import { scratchRoots } from '${groups.replace('groups.ts', 'scratch.ts')}';
      const start = () => spawnGroup(process.execPath, ['-e', ${JSON.stringify(FAMILY)}], { stdio: ['ignore', 'pipe', 'ignore'] });
      const tell = (line) => process.stdout.write(line);
      console.log(scratchRoots().disk + ' ' + scratchRoots().memory);
      process.stdin.once('data', () => {
        const first = start();
        first.stdout.once('data', (line) => { tell(line); first.kill(); });
        first.once('exit', () => start().stdout.once('data', tell));
      });`,
  });
  const parent = spawn(process.execPath, ['parent.mjs'], { cwd: dir, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = linesOf(parent);
  const folders = await words(lines);
  assert.ok(folders.every((folder) => existsSync(folder)));
  parent.stdin.write('go on');
  const first = await pids(lines);
  const second = await pids(lines);
  assert.ok(second.every(exists));
  parent.kill('SIGKILL');
  await until(() => ![...first, ...second].some(exists));
  await until(() => !folders.some((folder) => existsSync(folder)));
});

test('folders that were made before anything is started go as well', async () => {
  const scratch = new URL('../../../rescheduler/subjects/scratch.ts', import.meta.url).href;
  const dir = project({
    'parent.mjs': `import { writeSync } from 'node:fs'; import { makeFolder } from '${scratch}';
      writeSync(1, makeFolder('disk') + ' ' + makeFolder('memory') + '\\n');
      process.kill(process.pid, 'SIGKILL');`,
  });
  const parent = spawn(process.execPath, ['parent.mjs'], { cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] });
  const folders = (await words(linesOf(parent))).map(dirname);
  assert.ok(folders.every((folder) => basename(folder).startsWith('unweave-')));
  await until(() => !folders.some((folder) => existsSync(folder)));
});

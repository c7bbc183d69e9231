import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { killGroup, spawnGroup } from '../../../rescheduler/subjects/groups.ts';
import { exists, project, until } from './projects.ts';

/** A program that starts a child, prints both ids and stays. */
const FAMILY = `const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
console.log(process.pid + ' ' + child.pid);
setInterval(() => {}, 1000);`;

async function pids(stream: NodeJS.ReadableStream): Promise<number[]> {
  const [line] = await once(stream, 'data');
  return String(line).trim().split(' ').map(Number);
}

test('killing a program kills what it started', async () => {
  const child = spawnGroup(process.execPath, ['-e', FAMILY], { stdio: ['ignore', 'pipe', 'ignore'] });
  const family = await pids(child.stdout!);
  assert.equal(family.length, 2);
  assert.ok(family.every(exists));
  killGroup(child);
  await until(() => !family.some(exists));
});

test('what a program leaves behind when it ends is killed', async () => {
  const leaving = FAMILY.replace('setInterval(() => {}, 1000);', 'child.unref();');
  const child = spawnGroup(process.execPath, ['-e', `${leaving}`], { stdio: ['ignore', 'pipe', 'ignore'] });
  const family = await pids(child.stdout!);
  await until(() => !family.some(exists));
});

test('nothing stays when we are killed outright', async () => {
  const groups = new URL('../../../rescheduler/subjects/groups.ts', import.meta.url).href;
  const dir = project({
    'parent.mjs': `import { spawnGroup } from '${groups}'; import { scratchRoots } from '${groups.replace('groups.ts', 'scratch.ts')}';
      const start = () => spawnGroup(process.execPath, ['-e', ${JSON.stringify(FAMILY)}], { stdio: ['ignore', 'inherit', 'ignore'] });
      console.log(scratchRoots().disk + ' ' + scratchRoots().memory); setTimeout(() => { const first = start(); first.once('exit', start); setTimeout(() => first.kill(), 300); }, 300);`,
  });
  const parent = spawn(process.execPath, ['parent.mjs'], { cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] });
  const [roots] = await once(parent.stdout, 'data');
  const folders = String(roots).trim().split(' ');
  assert.ok(folders.every((folder) => existsSync(folder)));
  const first = await pids(parent.stdout);
  const second = await pids(parent.stdout);
  assert.ok(second.every(exists));
  parent.kill('SIGKILL');
  await until(() => ![...first, ...second].some(exists));
  await until(() => !folders.some((folder) => existsSync(folder)));
});

test('folders that were made before anything is started go as well', async () => {
  const scratch = new URL('../../../rescheduler/subjects/scratch.ts', import.meta.url).href;
  const dir = project({
    'parent.mjs': `import { writeSync } from 'node:fs'; import { makeFolder } from '${scratch}';
      writeSync(1, makeFolder('disk') + ' ' + makeFolder('memory'));
      process.kill(process.pid, 'SIGKILL');`,
  });
  const parent = spawn(process.execPath, ['parent.mjs'], { cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] });
  const [made] = await once(parent.stdout, 'data');
  const folders = String(made).split(' ').map(dirname);
  assert.ok(folders.every((folder) => basename(folder).startsWith('unweave-')));
  await until(() => !folders.some((folder) => existsSync(folder)));
});

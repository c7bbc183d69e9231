/** What is compiled before the tests is taken by the processes that they start, functions that nobody has called included. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporary } from '../temporary.ts';

const ROOT = join(import.meta.dirname, '../..');
const { NODE_COMPILE_CACHE: _, NODE_V8_COVERAGE: __, NODE_TEST_CONTEXT: ___, ...env } = process.env;

function run(args: readonly string[], cache: string): { stdout: string; stderr: string } {
  const own = { ...env, NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { status, ...told } = spawnSync(process.execPath, args, { encoding: 'utf8', env: own });
  assert.equal(status, 0, told.stderr);
  return told;
}

/** How many bytes a process that runs the file takes from a cache; 0: what is there is not for it. */
function taken(file: string, cache: string): number {
  const told = run([file], cache)
    .stderr.split('\n')
    .filter((line) => line.includes(file));
  const isAccepted = told.some((line) => line.includes('was accepted'));
  return isAccepted ? Number(/size=(\d+)/.exec(told.join('\n'))?.[1]) : 0;
}

test('a module is compiled to the last function, and is not run', () => {
  const folder = temporary('ahead');
  const [usual, whole] = [join(folder, 'usual'), join(folder, 'whole')];
  const file = join(folder, 'module.mjs');
  const uncalled = Array.from({ length: 50 }, (_, i) => `export function f${i}(a) { return a.b + ${i}; }`);
  writeFileSync(file, ["console.log('it runs');", ...uncalled].join('\n'));
  assert.equal(run([file], usual).stdout, 'it runs\n');
  assert.equal(run([join(ROOT, 'test/compile-ahead.ts'), whole, file], whole).stdout, '');
  const [less, more] = [taken(file, usual), taken(file, whole)];
  assert.ok(less > 0 && more > 2 * less, `${less} ${more}`);
});

test('the test command compiles what its processes start with', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [, folder] = /NODE_COMPILE_CACHE=\$PWD\/(\S+)/.exec(scripts.test) ?? [];
  assert.ok(folder);
  assert.ok(scripts.pretest.includes(`node test/compile-ahead.ts ${folder} `), scripts.pretest);
});

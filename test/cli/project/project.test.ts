/** What is read from a project: its test script, its package manager, its test runner. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readManifest } from '../../../cli/project/manifest.ts';
import { isOnPath, packageManagerOf } from '../../../cli/project/package-manager.ts';
import { runnerOf } from '../../../cli/project/runner.ts';
import { shownScript, testScriptOf } from '../../../cli/project/test-script.ts';
import { emptyFolder } from '../io.ts';

/** A repository with these files. */
function repository(files: Readonly<Record<string, unknown>>): string {
  const cwd = emptyFolder();
  mkdirSync(join(cwd, '.git'));
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value));
  return cwd;
}

test('the test script is run as the user would: by the manager of the lock file', () => {
  const manifest = { scripts: { test: 'vitest run' } };
  const command = (files: Readonly<Record<string, unknown>>) =>
    testScriptOf(repository({ 'package.json': manifest, ...files }), () => true).argv.join(' ');
  assert.equal(command({}), 'npm test');
  assert.equal(command({ 'package-lock.json': '{}' }), 'npm test');
  assert.equal(command({ 'pnpm-lock.yaml': '' }), 'pnpm test');
  assert.equal(command({ 'yarn.lock': '' }), 'yarn test');
  const named = { ...manifest, packageManager: 'pnpm@10.1.0+sha512.abc' };
  assert.equal(command({ 'package.json': named, 'package-lock.json': '{}' }), 'pnpm test');
});

test('where that manager is not installed npm runs the script, and it is told', () => {
  const cwd = repository({ 'package.json': { scripts: { test: 'mocha' } }, 'yarn.lock': '' });
  const told = testScriptOf(cwd, (program) => program !== 'yarn');
  assert.deepEqual(told.argv, ['npm', 'test']);
  assert.equal(shownScript(told), 'runs npm test (mocha): yarn, which the project uses, is not installed');
  assert.equal(isOnPath('node'), true);
  assert.equal(isOnPath('no-such-manager'), false);
});

test('a package of a workspace follows the lock file of its root, and no further than the repository', () => {
  const root = repository({ 'pnpm-lock.yaml': '', 'package.json': {} });
  const own = join(root, 'packages', 'a');
  mkdirSync(own, { recursive: true });
  assert.deepEqual(packageManagerOf(own), { manager: 'pnpm', lockFile: join(root, 'pnpm-lock.yaml') });
  mkdirSync(join(own, '.git'));
  assert.deepEqual(packageManagerOf(own), { manager: 'npm', lockFile: null });
});

test('where there is no test script, the line says what to do', () => {
  const says = (files: Readonly<Record<string, unknown>>, line: RegExp) =>
    assert.throws(() => testScriptOf(repository(files)), { name: 'UsageError', message: line });
  says({}, /^nothing to run: no package\.json here; give a test command after "--"/);
  says({ 'package.json': {} }, /^nothing to run: package\.json has no "test" script/);
  const stub = { scripts: { test: 'echo "Error: no test specified" && exit 1' } };
  says({ 'package.json': stub }, /has no "test" script/);
  says({ 'package.json': { scripts: { test: 'unweave run -- node --test' } } }, /runs unweave itself/);
});

test('values of a wrong type in package.json are taken for absent', () => {
  const cwd = repository({ 'package.json': { scripts: ['x'], type: 3, dependencies: { a: 1 } } });
  assert.deepEqual(readManifest(cwd), {
    type: '',
    scripts: {},
    dependencies: {},
    devDependencies: {},
    packageManager: '',
  });
});

test('the runner is the one that the test script calls, else the one that is installed', () => {
  const runner = (scripts: Record<string, string>, installed: string[] = []) => {
    const devDependencies = Object.fromEntries(installed.map((name) => [name, '*']));
    const found = runnerOf({ type: '', scripts, dependencies: {}, devDependencies, packageManager: '' });
    return found?.name ?? null;
  };
  assert.equal(runner({ test: 'cross-env CI=1 c8 node --import tsx --test src' }), 'node-test');
  assert.equal(runner({ test: 'vitest run' }), 'vitest');
  assert.equal(runner({ test: 'NODE_OPTIONS=--experimental-vm-modules npx jest --ci' }), 'jest');
  assert.equal(runner({ test: 'nyc mocha test' }), 'mocha');
  assert.equal(runner({ test: 'xo && ava' }), 'ava');
  assert.equal(runner({ test: 'tape test/*.js' }), 'tape');
  assert.equal(runner({ test: 'npm run lint && npm run unit', unit: 'yarn real', real: 'mocha' }), 'mocha');
  assert.equal(runner({ test: 'npm run test' }), null);
  assert.equal(runner({ test: 'gulp' }, ['gulp', 'jest']), 'jest');
  assert.equal(runner({}, ['vitest']), 'vitest');
  assert.equal(runner({ test: 'node test.js' }), null);
});

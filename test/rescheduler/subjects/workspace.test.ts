/** Packages beside the one under test are the user's own, whichever tool has linked them. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { options, project } from './projects.ts';

const PACKAGES = {
  'packages/a/package.json': '{ "name": "a" }',
  'packages/a/a.test.mjs': `
    import { test } from 'node:test'; import { increment, counter } from '@own/b'; import { foreign } from 'foreign';
    test('counts', async () => { await increment(); foreign(); if (counter.n !== 1) throw new Error('lost'); });`,
  'packages/b/package.json': '{ "name": "@own/b", "exports": "./index.mjs" }',
  'packages/b/index.mjs': `
    import { stat } from 'node:fs/promises';
    export const counter = { n: 0 };
    export async function increment() { const before = counter.n; await stat('.'); counter.n = before + 1; }`,
  'node_modules/foreign/package.json': '{ "name": "foreign", "exports": "./index.mjs" }',
  'node_modules/foreign/index.mjs':
    'const own = { calls: 0 }; export const foreign = () => { own.calls += 1; };',
};

/** Files of which something was seen. */
async function seen(files: Readonly<Record<string, string>>, cwd: string, command: string[]) {
  const root = project({ ...PACKAGES, ...files });
  mkdirSync(join(root, 'node_modules/@own'));
  symlinkSync('../../packages/b', join(root, 'node_modules/@own/b'));
  const [subject] = await recordCommand(command, { cwd: join(root, cwd) });
  const { trace, result } = await subject!.record(options());
  assert.equal(result.outcome, 'pass', result.failure?.message);
  const again = await subject!.execute({ kind: 'observed' }, options());
  assert.equal(again.outcome, 'pass', again.failure?.message);
  await subject!.close();
  return [...new Set(trace.sites.map(({ file }) => join(cwd, file)))]
    .filter((file) => dirname(file) !== '.')
    .sort();
}

describe('a sibling in a workspace is seen', () => {
  const BOTH = ['packages/a/a.test.mjs', 'packages/b/index.mjs'];
  const npm = { 'package.json': '{ "workspaces": ["packages/*"] }' };
  const pnpm = { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' };
  test('of npm or yarn, from one of its packages', async () =>
    assert.deepEqual(await seen(npm, 'packages/a', ['node', '--test']), BOTH));
  test('of pnpm, from one of its packages', async () =>
    assert.deepEqual(await seen(pnpm, 'packages/a', ['node', '--test']), BOTH));
  test('from the root', async () =>
    assert.deepEqual(await seen(npm, '.', ['node', '--test', 'packages/a/a.test.mjs']), BOTH));
  test('and is not where there is no workspace', async () =>
    assert.deepEqual(await seen({ 'package.json': '{}' }, 'packages/a', ['node', '--test']), [BOTH[0]]));
});

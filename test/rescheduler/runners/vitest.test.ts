/** What is known of Vitest without running it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { workspaceAt } from '../../../rescheduler/runners/vitest/projects.ts';
import { temporary } from '../../temporary.ts';

const folder = (files: Readonly<Record<string, string>> = {}): string => {
  const dir = temporary('vitest');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
};

test('a workspace is a list, a file that the option names, or one that stands there', async () => {
  const listed = 'export default ["one", { test: { name: "two" } }];';
  const list = ['one', { test: { name: 'two' } }];
  assert.equal(await workspaceAt(undefined, folder()), null);
  assert.deepEqual(await workspaceAt(['one'], folder({ 'vitest.workspace.mjs': listed })), ['one']);
  assert.deepEqual(await workspaceAt('./mine.mjs', folder({ 'mine.mjs': listed })), list);
  assert.deepEqual(await workspaceAt(undefined, folder({ 'vitest.workspace.mts': listed })), list);
  assert.deepEqual(await workspaceAt(undefined, folder({ 'vitest.projects.json': '["one"]' })), ['one']);
  const made = 'export default async () => ["one"];';
  assert.deepEqual(await workspaceAt(undefined, folder({ 'vitest.workspace.mjs': made })), ['one']);
});

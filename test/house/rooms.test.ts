/** `npm test` runs each test file once: in the room of its folder, or in a process of its own. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesOf } from '../in-one-process/enter.ts';

const ROOT = join(import.meta.dirname, '../..');
const inRoot = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT }).map((file) => join(ROOT, file));

/** Programs that tests run under the tool, and that fail by chance. */
const SUBJECTS = /\/test\/projects\//;

test('each test file is run once', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const patterns = [...scripts.test.matchAll(/"([^"]+)"/g)].map(([, pattern]) => pattern);
  const run = patterns.flatMap(inRoot).flatMap((file) => {
    if (!file.endsWith('.room.ts')) return [file];
    const [, folders = ''] = /enter\((.*?)\)/s.exec(readFileSync(file, 'utf8')) ?? [];
    return [...folders.matchAll(/'([^']+)'/g)].flatMap(([, folder = '']) => filesOf(folder));
  });
  const all = inRoot('test/**/*.test.ts').filter((file) => !SUBJECTS.test(file));
  assert.deepEqual(run.toSorted(), all.toSorted());
});

/** What a child told of its error, as a test is told of it that nobody watches. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { withoutOwnFrames } from '../../../monitor/record/own-frames.ts';
import { failureOf } from '../../../rescheduler/failure.ts';

const ours = pathToFileURL(join(import.meta.dirname, '../../../monitor/host/fs-operation.ts')).href;
const told = (path: string): string => `Command failed: node ship.js
${path}:51
    throw error;
    ^

Error: ENOENT: no such file or directory, stat '/a/app.log'
    at Object.stat (${path}:47:19)
    at async ${path}:50:1
    at Object.statSync (node:fs:1794:25)
    at rotate (/a/ship.js:9:23)
`;
const PLAIN = `Command failed: node ship.js
Error: ENOENT: no such file or directory, stat '/a/app.log'
    at Object.statSync (node:fs:1794:25)
    at rotate (/a/ship.js:9:23)
`;

test('neither frames of ours nor the place of ours where an error went through are told', () => {
  assert.equal(withoutOwnFrames(told(ours)), PLAIN);
  const { message, stack } = failureOf(new Error(told(ours)));
  assert.equal(message, PLAIN);
  assert.ok(!stack.includes('fs-operation'), stack);
});

test('those of others stay', () => {
  for (const path of ['/a/other.js', 'file:///a/other.js', 'file://host/%zz/other.js'])
    assert.equal(withoutOwnFrames(told(path)), told(path));
});

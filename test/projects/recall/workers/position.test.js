// A position of two numbers, told by one thread and read by another one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAll } from './pool.js';

async function seen(repaired) {
  const position = new Int32Array(new SharedArrayBuffer(12));
  const roles = ['robot', 'camera'].map((role) => ({ role, position, repaired }));
  const [, [x, y]] = await runAll('./position.worker.js', roles);
  assert.equal(x, y);
}

test('racy', () => seen(false));
test('repaired', () => seen(true));

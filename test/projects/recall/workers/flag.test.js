// A slot that one thread fills and another one waits for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAll } from './pool.js';

async function handed(repaired) {
  const slot = new Int32Array(new SharedArrayBuffer(8));
  const roles = ['producer', 'consumer'].map((role) => ({ role, slot, repaired }));
  const [, value] = await runAll('./flag.worker.js', roles);
  assert.equal(value, 42);
}

test('racy', () => handed(false));
test('repaired', () => handed(true));

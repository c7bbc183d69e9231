// Two tills pay into one account of a database.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { runAll } from './begun.js';

async function transferred(way) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const file = join(dir, 'bank.db');
  const bank = new DatabaseSync(file);
  bank.exec(`CREATE TABLE accounts (name TEXT PRIMARY KEY, cents INTEGER); INSERT INTO accounts VALUES ('shop', 0)`);
  await runAll('./transfer.child.js', [[file, way], [file, way]]);
  assert.equal(bank.prepare('SELECT cents FROM accounts').get().cents, 200);
  bank.close();
  await rm(dir, { recursive: true });
}

test('racy', () => transferred('plain'));
test('repaired', () => transferred('locked'));

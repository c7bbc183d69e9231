// Clerks sell the tickets of one database until none is left.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { runAll } from './begun.js';

async function sold(way) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const file = join(dir, 'office.db');
  const office = new Database(file);
  office.pragma('journal_mode = WAL');
  office.exec('CREATE TABLE tickets (no INTEGER PRIMARY KEY, clerk TEXT); INSERT INTO tickets (no) VALUES (1), (2)');
  office.close();
  const all = await runAll('./tickets.child.js', [[file, 'ann', way], [file, 'bob', way]]);
  assert.deepEqual(all.flat().toSorted(), [1, 2]);
  await rm(dir, { recursive: true });
}

test('racy', () => sold('told'));
test('repaired', () => sold('asked'));

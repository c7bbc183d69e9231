import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openStore, StoreError } from '../../../data/store/index.ts';
import { MIGRATIONS, migrate, versionOf } from '../../../data/store/migrations.ts';
import { folder, makeCutPoint, makeTrace, newTest } from './support.ts';

const later = [...MIGRATIONS, 'ALTER TABLE tests ADD COLUMN colour TEXT', "UPDATE tests SET colour = 'red'"];

function old(path: string): void {
  using store = openStore(path, { create: true });
  store.putTest(newTest('a'));
  store.putTrace('a', makeTrace(300));
  store.putCutPoints('a', [makeCutPoint('c')]);
}

test('a store of an older version is brought up to date with all that it holds', () => {
  const path = join(folder(), 'trace.db');
  old(path);
  {
    using store = openStore(path, {}, later);
    assert.deepEqual(store.getTrace('a'), makeTrace(300));
    assert.deepEqual(store.getCutPoints('a'), [makeCutPoint('c')]);
    assert.equal(store.trusted, true);
  }
  const db = new Database(path);
  assert.equal(versionOf(db), later.length);
  assert.equal(db.prepare('SELECT colour FROM tests').pluck().get(), 'red');
  assert.equal(db.prepare('SELECT count(*) FROM cut_point_list').pluck().get(), 1);
  db.close();
  assert.throws(() => openStore(path), /newer unweave/);
});

test('a migration that fails leaves the old version as it was', () => {
  const path = join(folder(), 'trace.db');
  old(path);
  assert.throws(() => openStore(path, {}, [...later, 'CREATE TABLE sites (x)']), StoreError);
  using store = openStore(path);
  assert.deepEqual(store.getTrace('a'), makeTrace(300));
});

test('an older store that may not be changed says so', () => {
  const path = join(folder(), 'trace.db');
  old(path);
  assert.throws(
    () => openStore(path, { readonly: true }, later),
    (error) => (error as StoreError).code === 'older',
  );
});

test('a store that is up to date is not migrated', () => {
  const db = new Database(':memory:');
  assert.equal(migrate(db, later), 0);
  assert.equal(migrate(db, later), later.length);
  db.close();
});

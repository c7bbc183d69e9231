import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openStore, StoreError, type StoreErrorCode } from '../../../data/store/index.ts';
import { folder, makeTrace, newTest } from './support.ts';

/** The path of a closed store with one trace. */
function filled(): string {
  const path = join(folder(), '.unweave', 'trace.db');
  using store = openStore(path, { create: true, command: ['node', 'a.js'], cwd: '/here' });
  store.putTest(newTest('a'));
  store.putTrace('a', makeTrace(5000));
  return path;
}

/** Opening and reading says this, in one line that names the file. */
function fails(path: string, code: StoreErrorCode, options = {}): void {
  assert.throws(
    () => {
      using store = openStore(path, options);
      store.getTrace('a');
    },
    (error) => {
      assert.ok(error instanceof StoreError, String(error));
      assert.equal(error.code, code, error.message);
      assert.ok(error.message.startsWith(`${path}: `), error.message);
      assert.ok(!error.message.includes('\n'));
      return true;
    },
  );
}

/** Changes a store behind our back. */
function tamper(path: string, sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

test('a new store makes its folder, which ignores itself', () => {
  const path = filled();
  assert.equal(readFileSync(join(dirname(path), '.gitignore'), 'utf8'), '*\n');
});

test("a folder of the user's own is left as it is", () => {
  const here = folder();
  openStore(join(here, 'own.db'), { create: true }).close();
  assert.equal(existsSync(join(here, '.gitignore')), false);
});

test('an existing .gitignore is kept', () => {
  const here = join(folder(), '.unweave');
  mkdirSync(here);
  writeFileSync(join(here, '.gitignore'), 'mine');
  openStore(join(here, 'trace.db'), { create: true }).close();
  assert.equal(readFileSync(join(here, '.gitignore'), 'utf8'), 'mine');
});

test('the origin is recorded at creation and kept by later opens', () => {
  const path = filled();
  using store = openStore(path, { create: true, command: ['other'], cwd: '/elsewhere' });
  const { uid, cwd, command, node } = store.meta;
  assert.deepEqual(
    { uid, cwd, command, node },
    { uid: process.getuid?.() ?? -1, cwd: '/here', command: ['node', 'a.js'], node: process.version },
  );
  assert.equal(store.trusted, true);
});

test('a missing file is missing unless it may be made', () => {
  const path = join(folder(), 'no', 'trace.db');
  fails(path, 'missing');
  fails(path, 'missing', { readonly: true, create: true });
  assert.equal(existsSync(dirname(path)), false);
});

test('a file that is not ours is foreign and not touched', () => {
  const here = folder();
  const sqlite = join(here, 'other.db');
  tamper(sqlite, 'CREATE TABLE t (x); PRAGMA user_version = 1');
  const files = { text: 'hello', long: 'x'.repeat(5000), empty: '', almost: 'SQLite format 2\0'.repeat(300) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(here, name), text);
  for (const path of [sqlite, ...Object.keys(files).map((name) => join(here, name))]) {
    const before = readFileSync(path);
    for (const readonly of [false, true]) fails(path, 'foreign', { readonly });
    if (before.length > 0) fails(path, 'foreign', { create: true });
    assert.deepEqual(readFileSync(path), before);
  }
  fails(here, 'foreign', { create: true });
});

test('an empty file becomes a store if one may be made', () => {
  const path = join(folder(), 'trace.db');
  writeFileSync(path, '');
  using store = openStore(path, { create: true });
  assert.deepEqual(store.tests(), []);
});

test('a store that was cut off anywhere is truncated', () => {
  const path = filled();
  const { length } = readFileSync(path);
  for (const size of [length - 1, length - 4096, 4096, 4095, 101, 99, 30, 16, 3]) {
    truncateSync(path, size);
    fails(path, 'truncated');
    fails(path, 'truncated', { readonly: true });
  }
});

test('a store of a newer unweave is refused, and unchanged', () => {
  const path = filled();
  tamper(path, 'PRAGMA user_version = 99');
  const before = readFileSync(path);
  fails(path, 'newer');
  fails(path, 'newer', { readonly: true });
  assert.deepEqual(readFileSync(path), before);
  assert.throws(() => openStore(path), /written by a newer unweave/);
});

test('a schema that contradicts its version is damage', () => {
  for (const sql of ['DROP TABLE meta', 'PRAGMA user_version = 0', 'PRAGMA user_version = -1']) {
    const path = filled();
    tamper(path, sql);
    fails(path, 'corrupt');
  }
});

test('outside bytes are checked wherever they come in', () => {
  for (const sql of [
    `UPDATE meta SET value = '"nobody"' WHERE key = 'uid'`,
    `UPDATE meta SET value = '{' WHERE key = 'uid'`,
    `DELETE FROM meta WHERE key = 'identity'`,
    `UPDATE traces SET saturated = 'x'`,
    `UPDATE traces SET ungated = '[1]'`,
    'UPDATE traces SET events = 5001',
    'UPDATE traces SET events = -1',
    'UPDATE traces SET events = 9000000000000000',
    'UPDATE traces SET jobs = 14',
    'UPDATE traces SET sites = 1000000000',
    `UPDATE traces SET site_map = x'ff'`,
    'DELETE FROM sites',
    'DELETE FROM jobs WHERE idx = 3',
    'DELETE FROM event_chunks',
    'UPDATE event_chunks SET last = 4998',
    'UPDATE event_chunks SET first = 1',
    `UPDATE event_chunks SET object = zeroblob(length(object))`,
    `UPDATE event_chunks SET kind = x''`,
    `UPDATE activations SET kind = 'boss' WHERE idx = 2`,
    'UPDATE activations SET site = 999999 WHERE idx = 2',
    `UPDATE conditions SET kind = 'maybe' WHERE idx = 2`,
    `UPDATE conditions SET members = '{}' WHERE kind = 'all'`,
    `UPDATE entities SET kind = 'boss'`,
    'DELETE FROM step_names',
  ]) {
    const path = filled();
    tamper(path, sql);
    assert.throws(
      () => {
        using store = openStore(path);
        store.getTrace('a');
      },
      (error) => {
        assert.ok(error instanceof StoreError, `${sql}: ${error}`);
        assert.ok(['corrupt', 'truncated'].includes(error.code), `${sql}: ${error.code}`);
        return true;
      },
      sql,
    );
  }
});

test('a copied store can be read, and is not trusted', () => {
  const path = filled();
  const copy = join(folder(), 'copy.db');
  copyFileSync(path, copy);
  using store = openStore(copy, { readonly: true });
  assert.equal(store.trusted, false);
  assert.equal(store.getTrace('a')?.events.length, 5000);
});

test('a store that was put in the place of another is not trusted', () => {
  const [path, other] = [filled(), filled()];
  renameSync(other, path);
  using store = openStore(path);
  assert.equal(store.trusted, true, 'a file that this user made and moved is still his');
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  renameSync(copy, path);
  using replaced = openStore(path);
  assert.equal(replaced.trusted, false);
});

test('a store that another user made can be read, and is not trusted', () => {
  const path = filled();
  tamper(path, `UPDATE meta SET value = '4242' WHERE key = 'uid'`);
  using store = openStore(path);
  assert.equal(store.trusted, false);
  assert.equal(store.getTrace('a')?.events.length, 5000);
});

const root = process.getuid?.() === 0;

test('a store that belongs to another user is not trusted', { skip: !root && 'needs root' }, () => {
  const path = filled();
  chownSync(path, 4242, 4242);
  using store = openStore(path);
  assert.equal(store.trusted, false);
});

test('a folder that may not be written: reading works, writing says so', {
  skip: root && 'root may all',
}, () => {
  const path = filled();
  chmodSync(path, 0o400);
  chmodSync(dirname(path), 0o500);
  try {
    using store = openStore(path, { readonly: true });
    assert.equal(store.getTrace('a')?.events.length, 5000);
    fails(path, 'access');
    fails(join(dirname(path), 'new', 'trace.db'), 'access', { create: true });
  } finally {
    chmodSync(dirname(path), 0o700);
  }
});

test('a store that is open for reading only cannot be written', () => {
  const path = filled();
  using store = openStore(path, { readonly: true });
  assert.throws(
    () => store.putTest(newTest('b')),
    (error) => (error as StoreError).code === 'access',
  );
  assert.deepEqual(
    store.tests().map(({ id }) => id),
    ['a'],
  );
});

test('a full disk is one line, and nothing that was stored before is lost', () => {
  const path = filled();
  {
    using store = openStore(path);
    // SQLite answers as on a full disk when the file may not grow.
    const { db } = store['connection'];
    db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
    store.putTest(newTest('small'));
    store.putTest(newTest('b'));
    assert.throws(
      () => store.putTrace('b', makeTrace(200_000)),
      (error) => error instanceof StoreError && error.code === 'full' && !error.message.includes('\n'),
    );
    assert.equal(store.getTrace('b'), null);
    assert.deepEqual(store.getTrace('a'), makeTrace(5000));
  }
  using again = openStore(path);
  assert.deepEqual(again.getTrace('a'), makeTrace(5000));
  assert.deepEqual(
    again.tests().map(({ id }) => id),
    ['a', 'small', 'b'],
  );
  again.putTrace('b', makeTrace(200_000));
  assert.deepEqual(again.getTrace('b'), makeTrace(200_000));
});

test('a store that somebody else holds for too long is busy', () => {
  const path = filled();
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  using store = openStore(path, { busyMs: 20 });
  assert.throws(
    () => store.putTest(newTest('b')),
    (error) => (error as StoreError).code === 'busy',
  );
  other.exec('ROLLBACK');
  other.close();
  store.putTest(newTest('b'));
  assert.equal(store.tests().length, 2);
});

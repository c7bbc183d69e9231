/** Statements as whoever orders processes knows them: where a text has several, and what has met a lock. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { partsOf } from '../../../monitor/drivers/sql-parts.ts';
import { metLock } from '../../../monitor/drivers/statement.ts';
import { temporary } from '../../temporary.ts';

test('a text of SQL is taken apart where its statements end, and not within strings, names or comments', () => {
  assert.deepEqual(partsOf('begin; update t set n = 1; commit'), [
    'begin;',
    ' update t set n = 1;',
    ' commit',
  ]);
  assert.deepEqual(partsOf(`insert into t values (';'); -- a; b\n`), [`insert into t values (';');`]);
  assert.deepEqual(partsOf('select "a;b" from [c;d] /* ; */'), ['select "a;b" from [c;d] /* ; */']);
  assert.deepEqual(partsOf(''), ['']);
  assert.equal(partsOf('create trigger a after insert on t begin delete from u; end; select 1'), null);
});

for (const Kind of [DatabaseSync, BetterSqlite3])
  test(`what ${Kind.name} throws where somebody else holds a lock is known, and what no wait would help`, () => {
    const dir = temporary('locks');
    const [one, two] = [1, 2].map(() => new Kind(join(dir, 'a.db'), { timeout: 0 }));
    const errorOf = (fn: () => unknown): unknown => {
      try {
        fn();
      } catch (error) {
        return error;
      }
      return assert.fail('it does not fail');
    };
    one!.exec('pragma journal_mode = wal; create table t(n)');
    one!.exec('begin immediate');
    assert.equal(metLock(errorOf(() => two!.exec('begin immediate'))), true);
    assert.equal(metLock(errorOf(() => two!.exec('select * from nowhere'))), false);
    two!.exec('begin; select * from t');
    one!.exec('insert into t values (1); commit');
    assert.equal(metLock(errorOf(() => two!.exec('insert into t values (2)'))), false);
    one!.close();
    two!.close();
  });

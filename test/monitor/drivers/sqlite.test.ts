/** The tables of `node:sqlite` as entities. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { tablesOf, turnsTransaction } from '../../../monitor/drivers/sql-tables.ts';
import { adopt } from '../../../monitor/locks/adapters.ts';
import type { GateObserver as Observer } from '../../../rescheduler/gate/session.ts';
import { gated } from '../../rescheduler/gate/support.ts';
import { temporary } from '../../temporary.ts';

// The first database loads native code.
new BetterSqlite3(':memory:').close();
// As the hooks of the loader do for the copy of a program.
adopt('better-sqlite3', { default: BetterSqlite3 });

test('the tables that a statement names, and whether it may change them', () => {
  const read = (sql: string) => {
    const { tables, write } = tablesOf(sql);
    return [[...tables].sort().join(), write];
  };
  assert.deepEqual(read('SELECT n FROM "Acc" a JOIN log ON log.id = a.id'), ['acc,log', false]);
  assert.deepEqual(read('insert into acc values (1); update main.log set n = 2'), ['acc,main.log', true]);
  assert.deepEqual(read('create table if not exists `t`(id)'), ['t', true]);
  assert.deepEqual(read('delete from t'), ['t', true]);
  assert.deepEqual(read('begin immediate'), ['', false]);
});

for (const Kind of [DatabaseSync, BetterSqlite3])
  test(`calls of ${Kind.name} are accesses to the tables of their database, in each run under the same name`, async () => {
    const main = async () => {
      const [one, two] = [new Kind(':memory:'), new Kind(':memory:')];
      for (const database of [one, two]) database.exec('create table acc(id)');
      one.prepare('insert into acc values (?)').run(1);
      assert.equal(two.prepare('select id from acc').all().length, 0);
      assert.equal([...one.prepare('select id from acc').iterate()].length, 1);
    };
    const run = async () => {
      const seen: string[] = [];
      const touched = ({ accesses }: Parameters<NonNullable<Observer['touched']>>[0]) => {
        for (const { entity, write } of accesses()) seen.push(`${write ? 'w' : 'r'} ${entity}`);
      };
      const { status, error } = await gated(main, { observer: { touched } as Observer });
      assert.equal(status, 'ok', String(error));
      return seen;
    };
    const of = (what: string, access: string) => access.replace(/\d/, `sqlite memory #$& ${what}`);
    const expected = ['w 1', 'w 2', 'w 1', 'r 2', 'r 1'].flatMap((access) => [
      of('acc', access),
      of('(transaction)', access.replace('w', 'r')),
    ]);
    assert.deepEqual(await run(), expected);
    assert.deepEqual(await run(), expected);
  });

test('what begins or ends a transaction by itself writes whether the connection is in one', () => {
  const turning = [
    'begin',
    ' BEGIN IMMEDIATE;',
    'commit',
    'end transaction',
    'ROLLBACK TO a',
    'savepoint a',
    'release a',
  ];
  assert.deepEqual(turning.filter(turnsTransaction), turning);
  const others = ['select 1', 'begin; insert into t values (1); commit', 'update t set begin = 1', ''];
  assert.deepEqual(others.filter(turnsTransaction), []);
});

test('its clock is no proof where that of the run has leapt', async () => {
  const doubtsOf = async (sql: string, ms: number) => {
    const { doubts } = await gated(async () => {
      const database = new DatabaseSync(':memory:');
      database.exec(sql);
      await sleep(ms);
      database.prepare('insert into t default values').run();
    });
    return doubts;
  };
  const doubt = ['times that SQLite tells'];
  assert.deepEqual(await doubtsOf('create table t(at default (unixepoch()))', 5000), doubt);
  assert.deepEqual(await doubtsOf('create table t(at default CURRENT_TIMESTAMP)', 5000), doubt);
  assert.deepEqual(await doubtsOf('create table t(at default CURRENT_TIMESTAMP)', 1), []);
  assert.deepEqual(await doubtsOf('create table t(date text)', 5000), []);
});

test('a backup is waited for, by a run with nothing else to do, and settles as it does on plain Node', async () => {
  const told: number[] = [];
  const main = async () => {
    const database = new DatabaseSync(':memory:');
    database.exec('create table t(v); insert into t values (zeroblob(20000))');
    const folder = temporary('backup');
    const options = { rate: 1, progress: () => void told.push(told.length) };
    assert.ok((await backup(database, join(folder, 'copy'), options)) > 1);
    assert.ok(told.length > 1);
    await assert.rejects(backup(database, join(folder, 'nowhere', 'copy')));
    await rm(folder, { recursive: true });
  };
  const { status, error } = await gated(main);
  assert.equal(status, 'ok', String(error));
});

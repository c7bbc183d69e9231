/** A project of which several machines share the analysis, and what they say. */
import { openStore } from '../../../data/store/index.ts';

/** A balance that two tasks change, of which one reads before it waits where `racy`. */
const testOf = (name: string, racy: boolean): string => `
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
class Account {
  balance = 0;
  async deposit(amount) {
    ${racy ? 'const before = this.balance; await stat("."); this.balance = before + amount;' : 'await stat("."); this.balance += amount;'}
  }
}
test('${name}', async () => {
  const account = new Account();
  await Promise.all([account.deposit(1), sleep(20).then(() => account.deposit(2))]);
  assert.equal(account.balance, 3);
});
test('${name} alone', () => new Account().deposit(1));
`;
export const FILES = {
  'a.test.js': testOf('a', true),
  'b.test.js': testOf('b', false),
  'c.test.js': testOf('c', true),
  'red.test.js': `import test from 'node:test'; test('red', () => { throw new Error('it is'); });`,
};
export const HOW = ['--confirm', '1', '--max-schedules', '3', '--store'];
export const COMMAND = ['--', 'node', '--test'];

/** The report for people without how long it took. */
export const withoutTime = (out: string): string => out.replace(/ · [\d.]+ s$/m, '');

export function verdictsIn(path: string): number {
  using store = openStore(path, { readonly: true });
  const all = store.tests().flatMap(({ id }) => store.schedules(id));
  return all.filter(({ verdict }) => verdict !== null).length;
}

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { work } from './begun.js';

await work(async ([file, way]) => {
  const bank = new DatabaseSync(file, { timeout: 2000 });
  const credit = bank.prepare('SELECT cents FROM accounts WHERE name = ?');
  const settle = bank.prepare('UPDATE accounts SET cents = ? WHERE name = ?');
  if (way === 'locked') bank.exec('BEGIN IMMEDIATE');
  const { cents } = credit.get('shop');
  await sleep(5);
  settle.run(cents + 100, 'shop');
  if (way === 'locked') bank.exec('COMMIT');
  bank.close();
});

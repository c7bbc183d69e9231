// Forty sales over a database; a sale is a statement of its own, but for those by voucher.
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';

class Stock {
  database = new Database(':memory:');

  constructor() {
    this.database.exec('CREATE TABLE stock (id INTEGER PRIMARY KEY, left INTEGER); CREATE TABLE sales (id INTEGER)');
    const insert = this.database.prepare('INSERT INTO stock VALUES (?, 20)');
    for (let id = 0; id < 8; id++) insert.run(id);
  }

  async sell(id) {
    await stat(new URL(import.meta.url));
    this.database.prepare('UPDATE stock SET left = left - 1 WHERE id = ?').run(id);
    this.database.prepare('INSERT INTO sales VALUES (?)').run(id);
  }

  async sellByVoucher(id) {
    const { left } = this.database.prepare('SELECT left FROM stock WHERE id = ?').get(id);
    await stat(new URL(import.meta.url));
    this.database.prepare('UPDATE stock SET left = ? WHERE id = ?').run(left - 1, id);
    this.database.prepare('INSERT INTO sales VALUES (?)').run(id);
  }

  get left() {
    return this.database.prepare('SELECT sum(left) AS n FROM stock').get().n;
  }

  get sold() {
    return this.database.prepare('SELECT count(*) AS n FROM sales').get().n;
  }
}

class AtomicStock extends Stock {
  sellByVoucher(id) {
    return this.sell(id);
  }
}

async function sold(Kind) {
  const stock = new Kind();
  const sales = Array.from({ length: 40 }, (_, at) =>
    sleep(3 * at).then(() => (at === 9 ? stock.sellByVoucher(at % 8) : stock.sell(at % 8))),
  );
  await Promise.all(sales);
  assert.equal(stock.left + stock.sold, 160);
  stock.database.close();
}

test('racy', () => sold(Stock));
test('repaired', () => sold(AtomicStock));

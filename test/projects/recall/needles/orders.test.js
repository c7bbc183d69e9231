// Sixty orders, each kept whole by a lock of its customer; the numbers of invoices are taken without one.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import AsyncLock from 'async-lock';

class Shop {
  lock = new AsyncLock();
  spent = new Map();
  invoices = [];
  lastInvoice = 0;

  constructor(dir) {
    this.dir = dir;
  }

  order(customer, amount, invoice) {
    return this.lock.acquire(customer, async () => {
      const before = this.spent.get(customer) ?? 0;
      await appendFile(join(this.dir, customer), `${amount}\n`);
      this.spent.set(customer, before + amount);
      if (invoice) await this.bill(customer);
    });
  }

  async bill(customer) {
    const number = this.lastInvoice + 1;
    await stat(join(this.dir, customer));
    this.lastInvoice = number;
    this.invoices.push(number);
  }
}

class NumberedShop extends Shop {
  async bill(customer) {
    const number = ++this.lastInvoice;
    await stat(join(this.dir, customer));
    this.invoices.push(number);
  }
}

async function ordered(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const shop = new Kind(dir);
  const orders = Array.from({ length: 60 }, (_, at) =>
    sleep(3 * at).then(() => shop.order(`customer${at % 12}`, at, at === 20 || at === 45)),
  );
  await Promise.all(orders);
  assert.equal(new Set(shop.invoices).size, 2);
  await rm(dir, { recursive: true });
}

test('racy', () => ordered(Shop));
test('repaired', () => ordered(NumberedShop));

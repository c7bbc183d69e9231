/**
 * The demo: a small shop that keeps its stock and its orders in JSON files, and two customers.
 *
 * `npm run demo` lets both order the last three bags of coffee. Run by itself, as any test runner would,
 * this passes every time: the second customer comes long after the first has been served.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { harness } from '../api.ts';

interface StockItem {
  readonly product: string;
  readonly onHand: number;
}

interface Order {
  readonly customer: string;
  readonly quantity: number;
}

/** Stock in `coffee.json`, one file per order in `orders/`. Files are replaced whole, never half written. */
class Shop {
  readonly stockFile: string;
  readonly ordersDir: string;

  constructor(dir: string) {
    this.stockFile = join(dir, 'coffee.json');
    this.ordersDir = join(dir, 'orders');
  }

  async open(onHand: number): Promise<this> {
    await mkdir(this.ordersDir);
    await this.saveStock({ product: 'coffee', onHand }, 'delivery');
    return this;
  }

  /** Returns false when there is not enough on hand. */
  async order(customer: string, quantity: number): Promise<boolean> {
    const stock = await this.loadStock();
    if (stock.onHand < quantity) return false;
    await this.saveOrder({ customer, quantity });
    await this.saveStock({ ...stock, onHand: stock.onHand - quantity }, customer);
    return true;
  }

  async loadStock(): Promise<StockItem> {
    return JSON.parse(await readFile(this.stockFile, 'utf8')) as StockItem;
  }

  async saveStock(stock: StockItem, by: string): Promise<void> {
    const draft = `${this.stockFile}.${by}`;
    await writeFile(draft, JSON.stringify(stock));
    await rename(draft, this.stockFile);
  }

  async saveOrder(order: Order): Promise<void> {
    await writeFile(join(this.ordersDir, `${order.customer}.json`), JSON.stringify(order));
  }

  async sold(): Promise<number> {
    let sold = 0;
    for (const file of await readdir(this.ordersDir)) {
      const order = JSON.parse(await readFile(join(this.ordersDir, file), 'utf8')) as Order;
      sold += order.quantity;
    }
    return sold;
  }
}

/** The same shop, in which one customer at a time is served. */
class CarefulShop extends Shop {
  readonly #counter = new Mutex();

  override async order(customer: string, quantity: number): Promise<boolean> {
    return await this.#counter.runExclusive(() => super.order(customer, quantity));
  }
}

const tasks = {
  ann: (shop: Shop) => shop.order('ann', 2),
  bob: async (shop: Shop) => {
    await sleep(100);
    await shop.order('bob', 2);
  },
};

const nothingOversold = async (shop: Shop): Promise<void> => {
  const { onHand } = await shop.loadStock();
  const sold = await shop.sold();
  assert.equal(sold + onHand, 3, `3 bags came in, ${sold} were sold, and ${onHand} are still on hand`);
};

harness({
  name: 'coffee shop',
  setup: ({ dir }) => new Shop(dir).open(3),
  tasks,
  check: nothingOversold,
  expect: { bug: true, pattern: 'RWW', entityMatch: '^fs:.*coffee\\.json( \\(content\\))?$' },
});

harness({
  name: 'careful coffee shop',
  setup: ({ dir }): Promise<Shop> => new CarefulShop(dir).open(3),
  tasks,
  check: nothingOversold,
  expect: { bug: false },
});

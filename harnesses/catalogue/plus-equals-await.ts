/**
 * `total += await …`: the left side is read before the await.
 * Bad: what others add meanwhile is lost. RWW. Ok: the await has a line of its own.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Cart {
  total = 0;
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async add(item: string): Promise<void> {
    this.total += await this.price(item);
  }

  async price(item: string): Promise<number> {
    return Number(await readFile(join(this.dir, `${item}.txt`), 'utf8'));
  }
}

class CarefulCart extends Cart {
  override async add(item: string): Promise<void> {
    const price = await this.price(item);
    this.total += price;
  }
}

const withPrices = async (cart: Cart): Promise<Cart> => {
  await writeFile(join(cart.dir, 'tea.txt'), '4');
  await writeFile(join(cart.dir, 'cake.txt'), '7');
  return cart;
};

twins<Cart>({
  name: 'plus-equals-await',
  bad: ({ dir }) => withPrices(new Cart(dir)),
  ok: ({ dir }) => withPrices(new CarefulCart(dir)),
  tasks: {
    tea: (cart) => cart.add('tea'),
    cake: async (cart) => {
      await sleep(80);
      await cart.add('cake');
    },
  },
  check: ({ total }) => assert.equal(total, 11),
  expect: { pattern: 'RWW', entity: 'Cart#total' },
});

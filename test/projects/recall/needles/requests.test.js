// Thirty requests to a shop; of all that they do only the coupon is used without care.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Shop {
  carts = new Map();
  visits = 0;
  coupon = { code: 'SPRING', used: false };
  discounts = 0;

  async handle(path) {
    this.visits += 1;
    const [, what, id] = path.split('/');
    if (what === 'coupon') return (await this.redeem()) ? 'yes' : 'no';
    const text = await readFile(new URL(import.meta.url), 'utf8');
    const cart = this.carts.get(id) ?? [];
    this.carts.set(id, [...cart, text.length]);
    return String(cart.length);
  }

  async redeem() {
    if (this.coupon.used) return false;
    await readFile(new URL(import.meta.url));
    this.coupon.used = true;
    this.discounts += 1;
    return true;
  }
}

class StrictShop extends Shop {
  async redeem() {
    if (this.coupon.used) return false;
    this.coupon.used = true;
    await readFile(new URL(import.meta.url));
    this.discounts += 1;
    return true;
  }
}

async function shopped(shop) {
  const server = http.createServer((request, response) => shop.handle(request.url).then((text) => response.end(text)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const get = async (path) => {
    const request = http.get({ port: server.address().port, host: '127.0.0.1', path, agent: false });
    const [response] = await once(request, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    return text;
  };
  const paths = Array.from({ length: 30 }, (_, at) => (at === 8 || at === 21 ? '/coupon' : `/cart/${at % 7}`));
  await Promise.all(paths.map((path, at) => sleep(15 * at).then(() => get(path))));
  server.close();
  assert.equal(shop.visits, 30);
  assert.equal(shop.discounts, 1);
}

test('racy', () => shopped(new Shop()));
test('repaired', () => shopped(new StrictShop()));

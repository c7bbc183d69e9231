/**
 * A shop with ten races between requests, one for each kind that applications have: what is checked, or read, is changed by
 * another request before it is acted upon. `SHOP=repaired`: each is held together by a lock.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const STOCK = 1;
const SEATS = 2;

export class Shop {
  #dir = mkdtempSync(join(tmpdir(), 'shop-'));
  #isRepaired = process.env.SHOP === 'repaired';
  #last = new Map();
  #drafts = 0;
  #likes = new Map();
  #sessions = new Map();

  async #read(name, otherwise = {}) {
    try {
      return JSON.parse(await readFile(join(this.#dir, name), 'utf8'));
    } catch {
      return otherwise;
    }
  }

  async #write(name, value) {
    const draft = join(this.#dir, `${name}.${++this.#drafts}`);
    await writeFile(draft, JSON.stringify(value));
    await rename(draft, join(this.#dir, name));
  }

  /** Reads a collection, changes it, writes it: together where that is repaired. */
  #change(name, change) {
    const work = async () => {
      const all = await this.#read(name);
      const answer = await change(all);
      await this.#write(name, all);
      return answer;
    };
    if (!this.#isRepaired) return work();
    const after = (this.#last.get(name) ?? Promise.resolve()).then(work);
    this.#last.set(
      name,
      after.catch(() => {}),
    );
    return after;
  }

  userOf(authorization = '') {
    return this.#sessions.get(authorization.replace('Bearer ', ''));
  }

  register({ body: { name } }) {
    return this.#change('users', (users) => {
      if (users[name]) return [409, { error: 'taken' }];
      users[name] = { id: randomUUID(), since: new Date().toISOString() };
      const token = randomUUID();
      this.#sessions.set(token, name);
      return [201, { ...users[name], name, token }];
    });
  }

  async users() {
    return [200, Object.keys(await this.#read('users'))];
  }

  deposit({ user, body: { amount } }) {
    return this.#change('wallets', (wallets) => {
      wallets[user] = (wallets[user] ?? 0) + amount;
      return [200, { balance: wallets[user] }];
    });
  }

  withdraw({ user, body: { amount } }) {
    return this.#change('wallets', (wallets) => {
      if ((wallets[user] ?? 0) < amount) return [402, { error: 'insufficient' }];
      wallets[user] -= amount;
      return [200, { receipt: randomUUID(), balance: wallets[user] }];
    });
  }

  transfer({ user, body: { to, amount } }) {
    return this.#change('wallets', (wallets) => {
      if ((wallets[user] ?? 0) < amount) return [402, { error: 'insufficient' }];
      wallets[user] -= amount;
      wallets[to] = (wallets[to] ?? 0) + amount;
      return [200, { sent: amount }];
    });
  }

  async wallet({ user }) {
    const wallets = await this.#read('wallets');
    return [200, { balance: wallets[user] ?? 0, at: Date.now() }];
  }

  redeem({ user, params: { code } }) {
    return this.#change('coupons', (coupons) => {
      if (coupons[code]) return [409, { error: 'used' }];
      coupons[code] = user;
      return [200, { worth: 50 }];
    });
  }

  order({ user, params: { product } }) {
    return this.#change('orders', (orders) => {
      const sold = Object.values(orders).filter((each) => each.product === product).length;
      if (sold >= STOCK) return [409, { error: 'sold out' }];
      const id = randomUUID();
      orders[id] = { product, user };
      return [201, { id }];
    });
  }

  async orderOf({ params: { id } }) {
    const order = (await this.#read('orders'))[id];
    return order ? [200, order] : [404, { error: 'no such order' }];
  }

  /** In memory alone: the pause between reading and writing is that of the audit. */
  async like({ user, params: { product } }) {
    const count = async () => {
      const before = this.#likes.get(product) ?? 0;
      await appendFile(join(this.#dir, 'audit'), `${user} likes ${product}\n`);
      this.#likes.set(product, before + 1);
      return [200, { likes: before + 1 }];
    };
    return this.#isRepaired ? this.#change('audit-of-likes', count) : count();
  }

  likes({ params: { product } }) {
    return [200, { likes: this.#likes.get(product) ?? 0 }];
  }

  addToCart({ user, body: { item } }) {
    return this.#change('carts', (carts) => {
      carts[user] = [...(carts[user] ?? []), item];
      return [200, { ok: true }];
    });
  }

  async cart({ user }) {
    return [200, ((await this.#read('carts'))[user] ?? []).toSorted()];
  }

  change({ user, body }) {
    return this.#change('profiles', (profiles) => {
      profiles[user] = { ...profiles[user], ...body };
      return [204, null];
    });
  }

  async profile({ user }) {
    return [200, (await this.#read('profiles'))[user] ?? {}];
  }

  invite() {
    return this.#change('invites', (invites) => {
      const token = randomUUID();
      invites[token] = 'open';
      return [201, { token }];
    });
  }

  accept({ user, params: { token } }) {
    return this.#change('invites', (invites) => {
      if (invites[token] !== 'open') return [410, { error: 'gone' }];
      invites[token] = user;
      return [200, { joined: true }];
    });
  }

  join({ user, params: { team } }) {
    return this.#change('teams', (teams) => {
      const members = (teams[team] ??= []);
      if (members.length >= SEATS) return [409, { error: 'full' }];
      members.push(user);
      return [200, { seats: SEATS - members.length }];
    });
  }

  async team({ params: { team } }) {
    return [200, (await this.#read('teams'))[team] ?? []];
  }
}

/** Method, path, who answers; the last ones are for users that are known. */
export const ROUTES = [
  ['post', '/users', 'register'],
  ['get', '/users', 'users'],
];
export const ROUTES_OF_USERS = [
  ['post', '/wallet/deposit', 'deposit'],
  ['post', '/wallet/withdraw', 'withdraw'],
  ['post', '/wallet/transfer', 'transfer'],
  ['get', '/wallet', 'wallet'],
  ['post', '/coupons/:code/redeem', 'redeem'],
  ['post', '/products/:product/order', 'order'],
  ['get', '/orders/:id', 'orderOf'],
  ['post', '/products/:product/like', 'like'],
  ['get', '/products/:product/likes', 'likes'],
  ['post', '/cart', 'addToCart'],
  ['get', '/cart', 'cart'],
  ['patch', '/profile', 'change'],
  ['get', '/profile', 'profile'],
  ['post', '/invites', 'invite'],
  ['post', '/invites/:token/accept', 'accept'],
  ['post', '/teams/:team/members', 'join'],
  ['get', '/teams/:team', 'team'],
];

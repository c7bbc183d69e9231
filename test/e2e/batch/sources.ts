/** The modules under test, by file name; five of them are wrong. */

export const SOURCES: Readonly<Record<string, string>> = {
  /** Wrong: a lost update in memory. */
  'account.js': `import { readFile } from 'node:fs/promises';
export class Account {
  balance = 0;
  constructor(rates) {
    this.rates = rates;
  }
  async deposit(amount) {
    const before = this.balance;
    const rate = Number(await readFile(this.rates, 'utf8'));
    this.balance = before + amount * rate;
  }
}
`,
  /** Wrong: it checks, waits and then acts. */
  'seats.js': `import { appendFile } from 'node:fs/promises';
export class Seats {
  taken = new Map();
  constructor(log) {
    this.log = log;
  }
  async reserve(seat, who) {
    if (this.taken.has(seat)) return false;
    await appendFile(this.log, seat + ' ' + who + '\\n');
    this.taken.set(seat, who);
    return true;
  }
}
`,
  /** Wrong: a lost update in a file, each version of which is whole. */
  'journal.js': `import { readFile, rename, writeFile } from 'node:fs/promises';
export async function append(file, line) {
  const before = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file + '.' + line, JSON.stringify([...before, line]));
  await rename(file + '.' + line, file);
}
export const lines = async (file) => JSON.parse(await readFile(file, 'utf8'));
`,
  /** Wrong: two callers may both find it missing. */
  'registry.js': `import { readFile } from 'node:fs/promises';
let opened = 0;
let client;
export async function connect(file) {
  if (!client) {
    const config = await readFile(file, 'utf8');
    opened += 1;
    client = { config, id: opened };
  }
  return client;
}
export const openedTimes = () => opened;
`,
  /** Wrong: while an order is checked, its price is not a price. */
  'price.js': `import { readFile } from 'node:fs/promises';
export class Order {
  price = 10;
  constructor(discounts) {
    this.discounts = discounts;
  }
  async discount() {
    const before = this.price;
    this.price = null;
    const percent = Number(await readFile(this.discounts, 'utf8'));
    this.price = before * (1 - percent / 100);
  }
}
`,
  'math.js': `export const add = (a, b) => a + b;
export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
export const sum = (list) => list.reduce(add, 0);
`,
  'lock.js': `export class Lock {
  tail = Promise.resolve();
  run(work) {
    const result = this.tail.then(work);
    this.tail = result.catch(() => {});
    return result;
  }
}
`,
  'counter.js': `import { setTimeout as sleep } from 'node:timers/promises';
import { Lock } from './lock.js';
export class Counter {
  value = 0;
  lock = new Lock();
  add(n) {
    return this.lock.run(async () => {
      const before = this.value;
      await sleep(1);
      this.value = before + n;
    });
  }
  async addAtOnce(n) {
    await sleep(1);
    this.value += n;
  }
}
`,
  'store.js': `import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
export class Store {
  constructor(dir) {
    this.dir = dir;
  }
  async put(key, value) {
    await mkdir(this.dir, { recursive: true });
    const draft = join(this.dir, key + '.draft');
    await writeFile(draft, JSON.stringify(value));
    await rename(draft, join(this.dir, key));
  }
  async get(key) {
    return JSON.parse(await readFile(join(this.dir, key), 'utf8'));
  }
}
`,
  'delay.js': `export const later = (ms, value, done) => setTimeout(() => done(null, value), ms);
export const soon = (done) => setImmediate(done);
export const failing = (done) => setTimeout(() => done(new Error('late')), 1);
`,
};

/**
 * A needle: one race among sixty tasks that share files, timers and objects correctly.
 *
 * `till` books an amount in the very first turns: it reads the total, writes a receipt, stores the new total.
 * `importer` reads six files one after another and books at last. The failing order holds one answer of the
 * till's receipt back until the importer, dozens of answers later, has read and stored the total as well.
 * Random orders hardly ever hold one answer for so long.
 */
import assert from 'node:assert/strict';
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { harness, type Task } from './api.ts';

const KIOSKS = 62;
const IMPORTED = [1, 2, 3, 4, 5, 6];

/** The race: no lock, and an await between reading and writing. */
class Register {
  total = 0;

  async book(amount: number, receipt: string): Promise<void> {
    const before = this.total;
    await writeFile(receipt, String(amount));
    this.total = before + amount;
  }
}

/** Correct: read, await and write under one lock. */
class Vault {
  sum = 0;
  readonly lock = new Mutex();

  async deposit(amount: number, slip: string): Promise<void> {
    await this.lock.runExclusive(async () => {
      const before = this.sum;
      await stat(slip);
      this.sum = before + amount;
    });
  }
}

/** Correct: what has changed meanwhile is tried again. */
class Leaderboard {
  entries: readonly string[] = [];

  async enter(name: string, file: string): Promise<void> {
    for (;;) {
      const before = this.entries;
      await stat(file);
      if (this.entries !== before) continue;
      this.entries = [...before, name];
      return;
    }
  }
}

/** Correct: replaced whole; who reads it twice does not need the same one. */
class PriceList {
  current = { version: 1, tea: 3 };

  publish(tea: number): void {
    this.current = { version: this.current.version + 1, tea };
  }
}

/** Correct: a notice is shown as it is when somebody looks. */
class NoticeBoard {
  notice = 'open';

  post(notice: string): void {
    this.notice = notice;
  }
}

class Market {
  served = 0;
  readonly register = new Register();
  readonly vault = new Vault();
  readonly leaderboard = new Leaderboard();
  readonly prices = new PriceList();
  readonly board = new NoticeBoard();
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  file(name: string): string {
    return join(this.dir, name);
  }

  async runKiosk(at: number): Promise<void> {
    const own = this.file(`kiosk-${at}.txt`);
    const opening = this.prices.current.tea;
    await writeFile(own, `${this.board.notice}: opens with tea at ${opening}\n`);
    await sleep(1 + (at % 7));
    const greeting = await readFile(this.file('greeting.txt'), 'utf8');
    await appendFile(own, `${greeting}, ${this.board.notice}: tea at ${this.prices.current.tea}\n`);
    await this.vault.deposit(at, own);
    this.served += 1;
    if (at % 20 === 0) await this.leaderboard.enter(`kiosk-${at}`, own);
    const closing = this.prices.current.tea;
    await appendFile(own, `${this.board.notice}: closes with tea at ${closing}\n`);
    const lines = (await readFile(own, 'utf8')).trim().split('\n');
    assert.equal(lines.length, 3);
  }

  async changePrices(prices: readonly number[]): Promise<void> {
    for (const tea of prices) {
      await sleep(3);
      await readFile(this.file('greeting.txt'));
      this.prices.publish(tea);
    }
  }

  async cry(notices: readonly string[]): Promise<void> {
    for (const notice of notices) {
      await sleep(2);
      await stat(this.file('greeting.txt'));
      this.board.post(notice);
    }
  }

  async importSales(): Promise<void> {
    let amount = 0;
    for (const day of IMPORTED) amount += Number(await readFile(this.file(`day-${day}.txt`), 'utf8'));
    await this.register.book(amount, this.file('import.receipt'));
  }
}

function kiosks(): Record<string, Task<Market>> {
  const tasks: Record<string, Task<Market>> = {};
  for (let at = 1; at <= KIOSKS; at += 1)
    tasks[`kiosk${String(at).padStart(2, '0')}`] = (market) => market.runKiosk(at);
  return tasks;
}

harness<Market>({
  name: 'needle',
  setup: async ({ dir }) => {
    await writeFile(join(dir, 'greeting.txt'), 'welcome');
    for (const day of IMPORTED) await writeFile(join(dir, `day-${day}.txt`), String(day * 100));
    return new Market(dir);
  },
  tasks: {
    till: (market) => market.register.book(7, market.file('till.receipt')),
    ...kiosks(),
    morning: (market) => market.changePrices([4, 5]),
    evening: (market) => market.changePrices([6, 2]),
    crier: (market) => market.cry(['fresh bread', 'lost: one glove', 'last orders']),
    importer: (market) => market.importSales(),
  },
  check: ({ register, vault, leaderboard, prices, board, served }) => {
    assert.equal(served, KIOSKS);
    assert.equal(vault.sum, (KIOSKS * (KIOSKS + 1)) / 2);
    assert.equal(leaderboard.entries.length, Math.floor(KIOSKS / 20));
    assert.equal(prices.current.version, 5);
    assert.equal(board.notice, 'last orders');
    assert.equal(register.total, 2107);
  },
  expect: { bug: true, pattern: 'RWW', entity: 'Register#total' },
});

// Transfers lock both accounts; each looks at the limit of the payer in between.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';

class Account {
  mutex = new Mutex();

  constructor(name, balance) {
    this.name = name;
    this.balance = balance;
  }
}

class Bank {
  ordered(from, to) {
    return [from, to];
  }

  async transfer(from, to, amount) {
    const [first, second] = this.ordered(from, to);
    const releaseFirst = await first.mutex.acquire();
    const limit = (await readFile(new URL(import.meta.url))).length;
    const releaseSecond = await second.mutex.acquire();
    if (amount <= limit) {
      from.balance -= amount;
      to.balance += amount;
    }
    releaseSecond();
    releaseFirst();
  }
}

class OrderedBank extends Bank {
  ordered(from, to) {
    return from.name < to.name ? [from, to] : [to, from];
  }
}

async function transfers(bank) {
  const accounts = { a: new Account('a', 10), b: new Account('b', 10) };
  const server = http.createServer((request, response) => {
    const [, from, to, amount] = request.url.split('/');
    bank.transfer(accounts[from], accounts[to], Number(amount)).then(() => response.end('done'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const post = async (path) => {
    const request = http.get({ port: server.address().port, host: '127.0.0.1', path, agent: false });
    const [response] = await once(request, 'response');
    await once(response.resume(), 'end');
  };
  await Promise.all([post('/a/b/3'), sleep(100).then(() => post('/b/a/1'))]);
  assert.deepEqual([accounts.a.balance, accounts.b.balance], [8, 12]);
  server.close();
}

test('racy', () => transfers(new Bank()));
test('repaired', () => transfers(new OrderedBank()));

// Transfers hold a mutex; a status page waits until it is free, then reads all balances in one go.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex-buggy';

type Name = 'alice' | 'bob';

test('the status page never sees half a transfer', async () => {
  const dir: string = await mkdtemp(join(tmpdir(), 'bank-'));
  const mutex = new Mutex();
  const balance: Record<Name, number> = { alice: 100, bob: 100 };
  const transfer = (from: Name, to: Name, amount: number): Promise<void> =>
    mutex.runExclusive(async () => {
      balance[from] -= amount;
      await appendFile(join(dir, 'journal.log'), `${from} -> ${to}: ${amount}\n`);
      balance[to] += amount;
    });
  const statusPage = async (): Promise<number> => {
    await mutex.waitForUnlock();
    return balance.alice + balance.bob;
  };

  const [total] = await Promise.all([
    sleep(0).then(statusPage),
    transfer('alice', 'bob', 10),
    sleep(100).then(() => transfer('bob', 'alice', 30)),
  ]);
  assert.equal(total, 200);
  assert.deepEqual(balance, { alice: 120, bob: 80 });
});

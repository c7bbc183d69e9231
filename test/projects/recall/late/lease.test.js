// A lease that is given to another worker when its holder is slow; the first one goes on writing.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Leases {
  holder = null;
  token = 0;

  take(who) {
    if (this.holder) return null;
    this.holder = who;
    const token = ++this.token;
    const expiry = setTimeout(() => this.give(token), 200);
    return { token, expiry };
  }

  give(token) {
    if (this.token === token) this.holder = null;
  }
}

class Counter {
  constructor(dir, leases) {
    this.path = join(dir, 'count');
    this.leases = leases;
  }

  async increment(who) {
    let lease = this.leases.take(who);
    while (!lease) {
      await sleep(50);
      lease = this.leases.take(who);
    }
    const count = Number(await readFile(this.path, 'utf8'));
    await stat(this.path);
    await this.store(count + 1, lease.token);
    clearTimeout(lease.expiry);
    this.leases.give(lease.token);
  }

  async store(count) {
    await writeFile(this.path, `${count}`);
  }
}

/** Leases do not end here: a holder that is slow is waited for. */
class EndlessLeases extends Leases {
  take(who) {
    if (this.holder) return null;
    this.holder = who;
    return { token: ++this.token };
  }
}

async function counted(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  await writeFile(join(dir, 'count'), '0');
  const counter = new Counter(dir, new Kind());
  await Promise.all([counter.increment('a'), sleep(10).then(() => counter.increment('b'))]);
  assert.equal(await readFile(counter.path, 'utf8'), '2');
  await rm(dir, { recursive: true });
}

test('racy', () => counted(Leases));
test('repaired', () => counted(EndlessLeases));

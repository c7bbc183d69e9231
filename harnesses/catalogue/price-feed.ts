/**
 * A quote that an event handler keeps up to date.
 * Bad: the price is looked at, confirmed, and looked at again; a tick has come in between. RWR with the
 * write in an event handler. Ok: the confirmed price is charged.
 */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Broker {
  price = 100;
  confirmed = 0;
  charged = 0;
  readonly feed = new EventEmitter();
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
    this.feed.on('tick', (price: number) => {
      this.price = price;
    });
  }

  async buy(): Promise<void> {
    this.confirmed = this.price;
    await this.confirm();
    this.charged = this.price;
  }

  async confirm(): Promise<void> {
    await writeFile(join(this.dir, 'confirmation.txt'), String(this.confirmed));
  }
}

class FairBroker extends Broker {
  override async buy(): Promise<void> {
    const price = this.price;
    this.confirmed = price;
    await this.confirm();
    this.charged = price;
  }
}

twins<Broker>({
  name: 'price-feed',
  bad: ({ dir }) => new Broker(dir),
  ok: ({ dir }) => new FairBroker(dir),
  tasks: {
    buyer: (broker) => broker.buy(),
    exchange: async ({ feed }) => {
      await sleep(80);
      feed.emit('tick', 130);
    },
  },
  check: ({ charged, confirmed }) => assert.equal(charged, confirmed),
  expect: { pattern: 'RWR', entity: 'Broker#price' },
});

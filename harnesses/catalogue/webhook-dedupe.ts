/**
 * A webhook is delivered twice; a Set of ids keeps it from being handled twice.
 * Bad: the id goes into the Set only after the work. RWW on a Set element. Ok: before it.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Webhooks {
  readonly seen = new Set<string>();
  handled = 0;
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async receive(id: string, delivery: number): Promise<void> {
    if (this.seen.has(id)) return;
    await this.handle(id, delivery);
    this.seen.add(id);
  }

  async handle(id: string, delivery: number): Promise<void> {
    await writeFile(join(this.dir, `${id}-${delivery}.json`), '{}');
    this.handled += 1;
  }
}

class EarlyWebhooks extends Webhooks {
  override async receive(id: string, delivery: number): Promise<void> {
    if (this.seen.has(id)) return;
    this.seen.add(id);
    await this.handle(id, delivery);
  }
}

twins<Webhooks>({
  name: 'webhook-dedupe',
  bad: ({ dir }) => new Webhooks(dir),
  ok: ({ dir }) => new EarlyWebhooks(dir),
  tasks: {
    delivery: (hooks) => hooks.receive('evt-1', 1),
    redelivery: async (hooks) => {
      await sleep(80);
      await hooks.receive('evt-1', 2);
    },
  },
  check: ({ handled }) => assert.equal(handled, 1),
  expect: { pattern: 'RWW', entityMatch: 'evt-1' },
});

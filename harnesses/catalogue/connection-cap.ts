/**
 * At most two connections, counted by the size of a Map.
 * Bad: the size is looked at before the handshake, the connection entered after it; a third gets in. RWW on
 * the size. Ok: a place is taken before the handshake.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Listener {
  readonly open = new Map([['c0', 'open']]);
  readonly certificate: string;

  constructor(certificate: string) {
    this.certificate = certificate;
  }

  async accept(id: string): Promise<void> {
    if (this.open.size >= 2) return;
    await this.handshake();
    this.open.set(id, 'open');
  }

  async handshake(): Promise<void> {
    await readFile(this.certificate);
  }
}

class PlaceTakingListener extends Listener {
  override async accept(id: string): Promise<void> {
    if (this.open.size >= 2) return;
    this.open.set(id, 'handshake');
    await this.handshake();
    this.open.set(id, 'open');
  }
}

const certificateIn = async (dir: string): Promise<string> => {
  const path = join(dir, 'cert.pem');
  await writeFile(path, 'certificate');
  return path;
};

twins<Listener>({
  name: 'connection-cap',
  bad: async ({ dir }) => new Listener(await certificateIn(dir)),
  ok: async ({ dir }) => new PlaceTakingListener(await certificateIn(dir)),
  tasks: {
    first: (listener) => listener.accept('c1'),
    second: async (listener) => {
      await sleep(80);
      await listener.accept('c2');
    },
  },
  check: ({ open }) => assert.equal(open.size, 2),
  expect: { pattern: 'RWW', entityMatch: 'size|Map' },
});

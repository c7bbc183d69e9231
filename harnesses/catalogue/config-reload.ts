/**
 * A request that reads the configuration twice.
 * Bad: the configuration is replaced in between, and the host of the old one gets the port of the new. RWR.
 * Ok: one snapshot per request.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

interface Config {
  readonly host: string;
  readonly port: number;
}

class Gateway {
  config: Config = { host: 'old.example', port: 80 };
  target = '';
  readonly hosts: string;

  constructor(hosts: string) {
    this.hosts = hosts;
  }

  async forward(): Promise<void> {
    const address = await this.resolve(this.config.host);
    this.target = `${address}:${this.config.port}`;
  }

  async resolve(host: string): Promise<string> {
    const table = await readFile(this.hosts, 'utf8');
    return table.includes(host) ? host : 'unknown';
  }
}

class SnapshotGateway extends Gateway {
  override async forward(): Promise<void> {
    const { host, port } = this.config;
    const address = await this.resolve(host);
    this.target = `${address}:${port}`;
  }
}

const hostsIn = async (dir: string): Promise<string> => {
  const path = join(dir, 'hosts');
  await writeFile(path, 'old.example new.example');
  return path;
};

twins<Gateway>({
  name: 'config-reload',
  bad: async ({ dir }) => new Gateway(await hostsIn(dir)),
  ok: async ({ dir }) => new SnapshotGateway(await hostsIn(dir)),
  tasks: {
    request: (gateway) => gateway.forward(),
    reload: async (gateway) => {
      await sleep(80);
      gateway.config = { host: 'new.example', port: 443 };
    },
  },
  check: ({ target }) => assert.equal(target, 'old.example:80'),
  expect: { pattern: 'RWR', entity: 'Gateway#config' },
});

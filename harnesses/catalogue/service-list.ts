/**
 * A registry of services that is written to a file: how many there are, then one line for each.
 * Bad: the header is written before the services are listed; one that registers meanwhile is listed and not counted.
 * No field that was there is read or written twice: it is the set of fields that changes. RWR.
 * Ok: they are listed once, for the header and the lines.
 */
import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Registry {
  readonly ports: Record<string, number> = { web: 80, mail: 25 };
  readonly file: string;

  constructor(dir: string) {
    this.file = join(dir, 'services.txt');
  }

  register(name: string, port: number): void {
    this.ports[name] = port;
  }

  async publish(): Promise<void> {
    const names = Object.keys(this.ports);
    await writeFile(this.file, `${names.length}\n`);
    for (const name in this.ports) await appendFile(this.file, `${name}\n`);
  }
}

class SnapshotRegistry extends Registry {
  override async publish(): Promise<void> {
    const names = Object.keys(this.ports);
    await writeFile(this.file, `${names.length}\n`);
    for (const name of names) await appendFile(this.file, `${name}\n`);
  }
}

twins<Registry>({
  name: 'service-list',
  bad: ({ dir }) => new Registry(dir),
  ok: ({ dir }) => new SnapshotRegistry(dir),
  tasks: {
    publish: (registry) => registry.publish(),
    register: async (registry) => {
      await sleep(80);
      registry.register('ftp', 21);
    },
  },
  check: async ({ file }) => {
    const [count, ...names] = (await readFile(file, 'utf8')).trimEnd().split('\n');
    assert.equal(names.length, Number(count));
  },
  expect: { pattern: 'RWR', entityMatch: '^Object@.*service-list\\.ts:\\d+ \\(keys\\)$' },
});

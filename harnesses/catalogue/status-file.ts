/**
 * A service that shows its state in a file.
 * Bad: `start` writes `starting` and later `running`; the `stopped` of `stop` falls in between and is
 * overwritten, so that the file says `running` of a service that was stopped. WWW on a file.
 * Ok: start and stop wait for each other in a queue.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { replaceFile } from '../lib/files.ts';
import { twins } from '../lib/twins.ts';

class Service {
  readonly dir: string;
  readonly statusFile: string;

  constructor(dir: string) {
    this.dir = dir;
    this.statusFile = join(dir, 'status.txt');
  }

  async start(): Promise<void> {
    await replaceFile(this.statusFile, 'starting', 'start');
    await this.boot();
    await replaceFile(this.statusFile, 'running', 'start');
  }

  async stop(): Promise<void> {
    await replaceFile(this.statusFile, 'stopped', 'stop');
  }

  async boot(): Promise<void> {
    await writeFile(join(this.dir, 'boot.log'), 'booted\n');
  }
}

class QueuedService extends Service {
  #last: Promise<void> = Promise.resolve();

  override start(): Promise<void> {
    this.#last = this.#last.then(() => super.start());
    return this.#last;
  }

  override stop(): Promise<void> {
    this.#last = this.#last.then(() => super.stop());
    return this.#last;
  }
}

twins<Service>({
  name: 'status-file',
  bad: ({ dir }) => new Service(dir),
  ok: ({ dir }) => new QueuedService(dir),
  tasks: {
    start: (service) => service.start(),
    stop: async (service) => {
      await sleep(80);
      await service.stop();
    },
  },
  check: async ({ statusFile }) => assert.equal(await readFile(statusFile, 'utf8'), 'stopped'),
  // A rename reads the entry that it replaces.
  expect: { pattern: ['WWW', 'WRW'], entityMatch: '^fs:.*status\\.txt( \\(content\\))?$' },
});

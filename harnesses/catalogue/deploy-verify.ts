/**
 * A deployment that writes which release is current and reads the file back to start it.
 * Bad: another deployment writes in between, and its release is started twice. WWR on a file.
 * Ok: the deployments hold a lock.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { replaceFile } from '../lib/files.ts';
import { twins } from '../lib/twins.ts';

class Deployer {
  readonly started: string[] = [];
  readonly current: string;

  constructor(dir: string) {
    this.current = join(dir, 'current');
  }

  async deploy(release: string): Promise<void> {
    await replaceFile(this.current, release, release);
    this.started.push(await readFile(this.current, 'utf8'));
  }
}

class LockedDeployer extends Deployer {
  readonly #lock = new Mutex();

  override async deploy(release: string): Promise<void> {
    await this.#lock.runExclusive(() => super.deploy(release));
  }
}

twins<Deployer>({
  name: 'deploy-verify',
  bad: ({ dir }) => new Deployer(dir),
  ok: ({ dir }) => new LockedDeployer(dir),
  tasks: {
    green: (deployer) => deployer.deploy('green'),
    blue: async (deployer) => {
      await sleep(80);
      await deployer.deploy('blue');
    },
  },
  check: ({ started }) => assert.deepEqual(started.toSorted(), ['blue', 'green']),
  expect: { pattern: 'WWR', entityMatch: '^fs:.*current( \\(content\\))?$' },
});

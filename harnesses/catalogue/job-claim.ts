/**
 * Two workers poll a directory of jobs; a worker claims a job before it does it.
 * Bad: claiming is "read the status, write the status", and both read `queued`.
 * Ok: claiming is one rename, which only one of them can win.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, replaceJson } from '../lib/files.ts';
import { twins } from '../lib/twins.ts';

interface Job {
  readonly status: 'queued' | 'claimed';
  readonly by?: string;
}

abstract class Worker {
  readonly queue: string;
  readonly name: string;

  constructor(queue: string, name: string) {
    this.queue = queue;
    this.name = name;
  }

  abstract claim(file: string): Promise<boolean>;

  /** Claims what it can; returns the jobs done. */
  async poll(): Promise<string[]> {
    const done: string[] = [];
    for (const file of await readdir(this.queue)) {
      if (!file.endsWith('.json')) continue;
      if (await this.claim(file)) done.push(file);
    }
    return done;
  }
}

class StatusWorker extends Worker {
  override async claim(file: string): Promise<boolean> {
    const path = join(this.queue, file);
    const job = await readJson<Job>(path);
    if (job.status !== 'queued') return false;
    await replaceJson(path, { status: 'claimed', by: this.name }, this.name);
    return true;
  }
}

class RenameWorker extends Worker {
  override async claim(file: string): Promise<boolean> {
    try {
      await rename(join(this.queue, file), join(this.queue, `${file}.claimed-by-${this.name}`));
      return true;
    } catch {
      return false;
    }
  }
}

interface State {
  readonly one: Worker;
  readonly two: Worker;
  readonly done: string[];
}

const stateOf = async (dir: string, make: (queue: string, name: string) => Worker): Promise<State> => {
  const queue = join(dir, 'queue');
  await mkdir(queue);
  await writeFile(join(queue, 'job-1.json'), JSON.stringify({ status: 'queued' }));
  return { one: make(queue, 'one'), two: make(queue, 'two'), done: [] };
};

twins<State>({
  name: 'job-claim',
  bad: ({ dir }) => stateOf(dir, (queue, name) => new StatusWorker(queue, name)),
  ok: ({ dir }) => stateOf(dir, (queue, name) => new RenameWorker(queue, name)),
  tasks: {
    one: async ({ one, done }) => {
      done.push(...(await one.poll()));
    },
    two: async ({ two, done }) => {
      await sleep(80);
      done.push(...(await two.poll()));
    },
  },
  check: ({ done }) => assert.deepEqual(done, ['job-1.json']),
  expect: { pattern: 'RWW', entityMatch: '^fs:.*job-1\\.json( \\(content\\))?$' },
});

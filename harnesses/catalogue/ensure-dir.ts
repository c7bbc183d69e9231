/**
 * A directory made when it is first needed.
 * Bad: looked for, then made; somebody else makes it in between and `mkdir` fails. RWW on a directory entry.
 * Ok: made without looking, and "exists" is no error.
 */
import assert from 'node:assert/strict';
import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class ReportStore {
  readonly folder: string;

  constructor(dir: string) {
    this.folder = join(dir, 'reports');
  }

  async save(name: string): Promise<void> {
    await this.ensureFolder();
    await writeFile(join(this.folder, name), 'report');
  }

  async ensureFolder(): Promise<void> {
    try {
      await access(this.folder);
    } catch {
      await mkdir(this.folder);
    }
  }
}

class TolerantReportStore extends ReportStore {
  override async ensureFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
  }
}

twins<ReportStore>({
  name: 'ensure-dir',
  bad: ({ dir }) => new ReportStore(dir),
  ok: ({ dir }) => new TolerantReportStore(dir),
  tasks: {
    monday: (store) => store.save('monday.txt'),
    tuesday: async (store) => {
      await sleep(80);
      await store.save('tuesday.txt');
    },
  },
  check: async ({ folder }) =>
    assert.deepEqual((await readdir(folder)).toSorted(), ['monday.txt', 'tuesday.txt']),
  expect: { pattern: 'RWW', entityMatch: '^fs:.*reports$' },
});

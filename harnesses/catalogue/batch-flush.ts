/**
 * Log lines that are gathered and flushed.
 * Bad: the gathered lines are emptied after the flush, together with what came during it. RWW.
 * Ok: taken away before the flush.
 */
import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Batcher {
  pending: readonly string[] = ['one'];
  readonly file: string;

  constructor(dir: string) {
    this.file = join(dir, 'lines.log');
  }

  add(line: string): void {
    this.pending = [...this.pending, line];
  }

  async flush(): Promise<void> {
    const lines = this.pending;
    await appendFile(this.file, lines.map((line) => `${line}\n`).join(''));
    this.pending = [];
  }
}

class SwappingBatcher extends Batcher {
  override async flush(): Promise<void> {
    const lines = this.pending;
    this.pending = [];
    await appendFile(this.file, lines.map((line) => `${line}\n`).join(''));
  }
}

const withFile = async (batcher: Batcher): Promise<Batcher> => {
  await writeFile(batcher.file, '');
  return batcher;
};

twins<Batcher>({
  name: 'batch-flush',
  bad: ({ dir }) => withFile(new Batcher(dir)),
  ok: ({ dir }) => withFile(new SwappingBatcher(dir)),
  tasks: {
    flusher: (batcher) => batcher.flush(),
    logger: async (batcher) => {
      await sleep(80);
      batcher.add('two');
    },
  },
  check: async (batcher) => {
    await batcher.flush();
    assert.equal(await readFile(batcher.file, 'utf8'), 'one\ntwo\n');
  },
  expect: { pattern: 'RWW', entity: 'Batcher#pending' },
});

/**
 * rotating-file-stream: two log streams open in a directory that does not exist yet.
 * 1.3.9: both fail to open, both make the directory, and the later `mkdir` fails the stream with EEXIST.
 * 1.3.10 takes a directory that is there already as made.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import buggy from 'rotating-file-stream-buggy';
import fixed from 'rotating-file-stream-fixed';
import { type Expectation, harness } from '../api.ts';

type OpenStream = (name: string, options: { path: string; size: string }) => Writable;

class Logs {
  readonly folder: string;
  readonly #open: OpenStream;

  constructor(dir: string, open: OpenStream) {
    this.folder = join(dir, 'logs');
    this.#open = open;
  }

  async write(name: string, line: string): Promise<void> {
    const stream = this.#open(name, { path: this.folder, size: '1M' });
    stream.end(line);
    await once(stream, 'finish');
  }

  async read(name: string): Promise<string> {
    return await readFile(join(this.folder, name), 'utf8');
  }
}

function logsHarness(version: string, open: OpenStream, expect: Expectation): void {
  harness<Logs>({
    name: `rotating-file-stream@${version}`,
    setup: ({ dir }) => new Logs(dir, open),
    tasks: {
      requests: (logs) => logs.write('requests.log', 'GET /\n'),
      failures: async (logs) => {
        await sleep(100);
        await logs.write('failures.log', 'boom\n');
      },
    },
    check: async (logs) => {
      assert.equal(await logs.read('requests.log'), 'GET /\n');
      assert.equal(await logs.read('failures.log'), 'boom\n');
    },
    expect,
  });
}

logsHarness('1.3.9', buggy.default, { bug: true, pattern: 'RWW', entityMatch: '^fs:.*logs$' });
logsHarness('1.3.10', fixed.default, { bug: false });

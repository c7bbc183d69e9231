/** The tick fuzz in small; `node test/fuzz/ticks.ts 2000` is the long one. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extent } from '../extent.ts';

const script = fileURLToPath(new URL('./ticks.ts', import.meta.url));

async function fuzz(...args: string[]) {
  // In a process of its own: unhandled rejections are part of what is compared.
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return JSON.parse(stdout);
}

const PROGRAMS = extent(60, 150);

suite('tick fuzz', () => {
  test('instrumented programs keep the order of their microtasks, and every event its activation', async () => {
    const { programs, same, checks, wrong, examples } = await fuzz(`${PROGRAMS}`);
    assert.deepEqual(examples, []);
    assert.deepEqual({ programs, same, wrong }, { programs: PROGRAMS, same: PROGRAMS, wrong: 0 });
    assert.ok(checks > PROGRAMS * 6, `only ${checks} checks`);
  });

  test('one tick too many is noticed', async () => {
    const { programs, different } = await fuzz('24', '--sabotage');
    assert.ok(different > programs / 5, `only ${different} of ${programs}`);
  });
});

/** Programs that start their own workers, executed again and again in one process. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { ProgramSubject } from '../../../rescheduler/loops/subject.ts';

const dir = mkdtempSync(join(tmpdir(), 'unweave-warm-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const PROJECT = fileURLToPath(new URL('../../projects/own-loops', import.meta.url));
const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));
const options = { watchdogMs: 60_000 };

function program(cwd: string, ...[file, ...args]: [string, ...string[]]): ProgramSubject {
  const argv = [join(cwd, file), ...args];
  const recipe = { execPath: process.execPath, execArgv: [], argv, cwd, runner: false, env: {} };
  return new ProgramSubject(recipe, null, null, { ...defaultConfig(cwd), cacheDir: join(dir, 'cache') });
}

/** The replies to executions under chance, behind those by which a process is tried. */
async function warmed(subject: ProgramSubject, seeds: readonly number[]) {
  for (let trial = 0; trial < 3; trial++) await subject.execute({ kind: 'observed' }, options);
  const replies = [];
  for (const seed of seeds) replies.push(await subject.execute({ kind: 'random', seed }, options));
  return replies;
}

describe('an execution in a process that lasts', () => {
  it('takes the steps that it takes in a process of its own', async () => {
    const subject = program(PROJECT, 'everyday.js', 'news for all');
    try {
      const seeds = [8, 9];
      const replies = await warmed(subject, seeds);
      for (const { ran, reusable } of replies) assert.deepEqual([ran.outcome, reusable], ['pass', true]);
      const warm = replies.map(({ ran }) => ran.traceHash);
      const fresh = [];
      for (const seed of seeds)
        fresh.push((await subject.executeFresh({ kind: 'random', seed }, options)).traceHash);
      assert.deepEqual(warm, fresh);
    } finally {
      await subject.close();
    }
  });

  for (const what of ['counter', 'listener'])
    it(`is none where an execution leaves a ${what} behind`, async () => {
      const subject = program(FIXTURES, 'leaves.js', what);
      try {
        for (const { ran, reusable } of await warmed(subject, [1]))
          assert.deepEqual([ran.outcome, reusable], ['pass', false]);
      } finally {
        await subject.close();
      }
    });
});

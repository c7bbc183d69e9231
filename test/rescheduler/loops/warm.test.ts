/** Programs that start their own workers, executed again and again in one process. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { ProgramSubject } from '../../../rescheduler/loops/subject.ts';
import type { CaseId } from '../../../rescheduler/subjects/job.ts';
import { temporary } from '../../temporary.ts';

const dir = temporary('unweave-warm');
const PROJECT = fileURLToPath(new URL('../../projects/own-loops', import.meta.url));
const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));
const options = { watchdogMs: 60_000 };

function subjectOf(cwd: string, argv: string[], target: CaseId | null): ProgramSubject {
  const recipe = { execPath: process.execPath, execArgv: [], argv, cwd, runner: false, env: {} };
  return new ProgramSubject(recipe, target, null, { ...defaultConfig(cwd), cacheDir: join(dir, 'cache') });
}

const program = (cwd: string, file: string, ...args: string[]): ProgramSubject =>
  subjectOf(cwd, [join(cwd, file), ...args], null);

const bank = join(PROJECT, 'bank.test.js');
const subjects = [
  ['workers that are terminated', () => program(PROJECT, 'everyday.js', 'a pool that works off a queue')],
  ['a test case', () => subjectOf(PROJECT, [bank], { file: bank, name: 'guarded', ordinal: 0 })],
] as const;

/** The replies to executions under chance, behind those by which a process is tried. */
async function warmed(subject: ProgramSubject, seeds: readonly number[]) {
  for (let trial = 0; trial < 3; trial++) await subject.execute({ kind: 'observed' }, options);
  const replies = [];
  for (const seed of seeds) replies.push(await subject.execute({ kind: 'random', seed }, options));
  return replies;
}

describe('an execution in a process that lasts', () => {
  for (const [what, make] of subjects)
    it(`takes the steps that it takes in a process of its own: ${what}`, async () => {
      const subject = make();
      try {
        const seeds = [8, 9];
        const replies = await warmed(subject, seeds);
        for (const { ran, reusable } of replies) assert.deepEqual([ran.outcome, reusable], ['pass', true]);
        const fresh = [];
        for (const seed of seeds)
          fresh.push((await subject.executeFresh({ kind: 'random', seed }, options)).traceHash);
        assert.deepEqual(
          replies.map(({ ran }) => ran.traceHash),
          fresh,
        );
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

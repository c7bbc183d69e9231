/**
 * Each rule between threads under the gate, and each rule of their event loops, is needed: without it a program with a
 * worker fails that can never fail in real Node. A rule without a program does not get past the type checker.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { ProgramSubject } from '../../../rescheduler/loops/subject.ts';
import type { ThreadRule } from '../../../rescheduler/tokens/control.ts';
import { isRun } from '../../extent.ts';
import { temporary } from '../../temporary.ts';
import { fileOf } from '../gate/programs/index.ts';
import { messages } from '../gate/programs/messages.ts';
import { groupsOf } from './groups.ts';

const PROJECT = new URL('../../projects/own-loops/', import.meta.url);
const ORDERS = fileURLToPath(new URL('orders.js', PROJECT));
/** Asks for what nobody holds. */
const STAMPS = fileURLToPath(new URL('stamps.js', PROJECT));
/** Runs programs of test/rescheduler/gate/programs in workers. */
const IN_WORKER = fileURLToPath(new URL('fixtures/in-worker.js', import.meta.url));

/** What a thread leaves behind goes with it, its loop takes turns when it rests, and only others bring something to it. */
type Needed = Exclude<ThreadRule, 'tidies' | 'rounds' | 'outsiders'>;

/** Programs of orders.js. */
const BETWEEN = {
  patience: ['nobody is ten seconds late'],
  deadlines: ['ten milliseconds are over before five seconds are'],
  waiters: ['who waited first is woken first'],
  clock: ['no clock is behind what another thread has read'],
  pace: ['five seconds of one thread are five of another'],
  together: ['what has come is handed out together'],
  news: ['who is made is online before it says anything', 'what was sent comes before the end'],
  alive: ['a port whose other end is closed keeps nobody alive'],
  fifo: ['a port is first in, first out'],
  phases: [
    'what was sent comes with the next poll phase',
    'what came by another port comes with the next poll phase, too',
    'a notification is there, too',
  ],
  closing: ['a port closes behind the immediates of its thread'],
  unref: ['a timer that keeps nobody alive does not fire alone'],
} satisfies Partial<Record<Needed, readonly string[]>>;

/** Not that time outruns nothing outside: what takes time there is a child, and beside threads that settles nothing. */
const WITHIN: Readonly<Record<Exclude<Needed, keyof typeof BETWEEN | 'doubts' | 'leaps'>, string>> = {
  instant: 'an IP address is known before anything else happens',
  timers: 'equal delays fire in order',
  drains: 'a callback has its microtasks behind it when the next one comes',
  effects: 'what was answered has been done',
  pool: 'the pool starts requests in order',
  copies: 'held stat results are not mixed up',
  clocks: 'the clock has moved after a sleep',
  bounded: 'a stat takes less than a lease of ten seconds',
  traceless: 'bytesRead is what was received',
  forgets: 'a watcher that is closed behind an answer tells nothing more',
};

const dir = temporary('unweave-needed');
const config = { ...defaultConfig(dir), cacheDir: join(dir, 'cache') };
const program = (...argv: string[]): ProgramSubject => {
  const recipe = { execPath: process.execPath, execArgv: [], argv, runner: false, env: {} };
  return new ProgramSubject({ ...recipe, cwd: join(argv[0]!, '..') }, null, null, config);
};

/** By program, the seed that shows it; of the others the first one does. */
const SHOWN_BY: Readonly<Record<string, number>> = {
  'five seconds of one thread are five of another': 13,
  'who is made is online before it says anything': 8,
  'a port whose other end is closed keeps nobody alive': 8,
  'what was sent comes with the next poll phase': 7,
  'what came by another port comes with the next poll phase, too': 10,
  'a notification is there, too': 10,
  'a port closes behind the immediates of its thread': 7,
  'equal delays fire in order': 7,
  'the pool starts requests in order': 10,
  'a stat takes less than a lease of ten seconds': 7,
};
/** Tried when that does not show it any more: of these the deliveries are as observed, and as chance has them. */
const SEEDS = [1, 7, 8, 9, 10, 11, 2, 3, ...Array.from({ length: 52 }, (_, at) => at + 12)];
const options = { watchdogMs: 60_000 };

const inWorker = (...names: string[]): ProgramSubject =>
  program(IN_WORKER, ...names.flatMap((name) => [fileOf(name), name]));

async function passes(subject: ProgramSubject, seed: number): Promise<void> {
  const { failure, outcome } = await subject.executeFresh({ kind: 'random', seed }, options);
  assert.deepEqual([outcome, failure], ['pass', null]);
}

async function isNeeded(rule: Needed, subject: ProgramSubject, name: string): Promise<void> {
  try {
    for (const seed of [SHOWN_BY[name] ?? 1, ...SEEDS]) {
      const { ran } = await subject.execute({ kind: 'random', seed, without: [rule] }, options);
      if (ran.outcome === 'fail' || ran.outcome === 'deadlock') return;
    }
    assert.fail('it never fails without the rule');
  } finally {
    await subject.close();
  }
}

describe('without a rule a program with a worker fails that never does', () => {
  for (const group of groupsOf(Object.values(BETWEEN).flat()))
    it(`with all of them: ${group.join('; ')}`, () => passes(program(ORDERS, ...group), 7));
  for (const group of groupsOf(Object.values(WITHIN)))
    it(`with all of them, within a thread: ${group.join('; ')}`, () => passes(inWorker(...group), 7));
  for (const [rule, names] of Object.entries(BETWEEN))
    for (const name of names)
      it(`${rule}: ${name}`, () => isNeeded(rule as Needed, program(ORDERS, name), name));
  for (const [rule, name] of Object.entries(WITHIN))
    it(`${rule}, within a thread: ${name}`, () => isNeeded(rule as Needed, inWorker(name), name));

  it('doubts: an event is stamped behind what came before', async () => {
    const spec = { kind: 'random', seed: 7 } as const;
    const ends = [spec, { ...spec, without: ['doubts'] as const }].map(
      async (each) => (await program(STAMPS).executeFresh(each, options)).outcome,
    );
    assert.deepEqual(await Promise.all(ends), ['unknown', 'fail']);
  });

  for (const name of ['execSync takes its time', 'exec takes its time'])
    it(`doubts: ${name}`, async () => {
      const spec = { kind: 'random', seed: 7 } as const;
      assert.equal((await inWorker(name).executeFresh(spec, options)).outcome, 'unknown');
    });
});

describe('in a worker never fails, either', () => {
  const names = [...Object.keys(messages), 'what a port sends itself comes before anything else'];
  for (const [at, group] of groupsOf(names.filter((_, at) => isRun(at, 2))).entries())
    it(group.join('; '), () => passes(inWorker(...group), 6 + at));
});

/** Programs that start their own workers, in orders of observation and of chance, without the command around them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Op } from '../../../data/threads/trace.ts';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { ProgramSubject } from '../../../rescheduler/loops/subject.ts';

const PROJECT = fileURLToPath(new URL('../../projects/workers', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'unweave-loops-'));
const config = { ...defaultConfig(PROJECT), cacheDir: join(dir, 'cache') };
after(() => rmSync(dir, { recursive: true, force: true }));

function subject(file: string, ...args: string[]): ProgramSubject {
  const argv = [join(PROJECT, file), ...args];
  const recipe = { execPath: process.execPath, execArgv: [], argv, cwd: PROJECT, runner: false, env: {} };
  return new ProgramSubject(recipe, null, null, config);
}

const options = { watchdogMs: 60_000 };
const SEEDS = [1, 2, 3];

describe('programs that cannot fail pass in every order', () => {
  const safe: readonly (readonly [string, ...string[]])[] = [
    ['bank.js', 'safe'],
    ['ordered.js'],
    ['join.js'],
    ['pool.js'],
    ['wait-async.js'],
    ['terminated.js'],
    ['exits.js'],
    ['abba.js', 'same'],
  ];
  for (const [file, ...args] of safe)
    it([file, ...args].join(' '), async () => {
      const program = subject(file, ...args);
      const { ran, trace } = await program.execute({ kind: 'observed' }, options);
      assert.deepEqual([ran.outcome, ran.failure], ['pass', null]);
      assert.ok(trace !== null && trace.names.threads.length > 1);
      for (const seed of SEEDS) {
        const { outcome, failure } = await program.executeFresh({ kind: 'random', seed }, options);
        assert.deepEqual([outcome, failure], ['pass', null], `seed ${seed}`);
      }
    });
});

describe('an execution of a program', () => {
  it('tells what it used that nobody controls', async () => {
    const { ran } = await subject('unseen.js').execute({ kind: 'observed' }, options);
    assert.equal(ran.outcome, 'pass');
    assert.deepEqual(ran.ungated, {
      'elements in workers made of text': 1,
      MessageChannel: 1,
      BroadcastChannel: 1,
      'shared memory of WebAssembly': 1,
    });
  });

  it('orders construction, messages and ends of workers, and knows memory that came by message', async () => {
    const { trace } = await subject('ordered.js').execute({ kind: 'observed' }, options);
    const { events, names } = trace!;
    const ops = [...events.op].filter((op) => op >= Op.Fork && op !== Op.Begin && op !== Op.End);
    assert.deepEqual(ops, [
      ...[Op.Fork, Op.Send, Op.Receive, Op.Send, Op.Receive],
      ...[Op.Send, Op.Receive, Op.Join],
    ]);
    assert.deepEqual(names.entities, ['words[0]']);
    assert.ok(names.channels.includes('message 1 to worker 1'));
  });

  it('can be followed by the schedule that it took', async () => {
    const program = subject('pool.js');
    const { ran, trace } = await program.execute({ kind: 'random', seed: 2 }, options);
    const schedule = { grants: ran.taken, expected: null, threads: trace!.names.threads };
    const again = await program.executeFresh({ kind: 'directed', schedule }, options);
    assert.deepEqual([again.followed, again.outcome], ['followed', 'pass']);
  });

  it('numbers workers of workers by who started them', async () => {
    const { trace } = await subject('exits.js').execute({ kind: 'observed' }, options);
    assert.deepEqual(trace!.names.threads.toSorted(), [
      'main',
      'worker 1',
      'worker 2',
      'worker 3',
      'worker 3.1',
    ]);
  });

  it('that never ends is no verdict', async () => {
    const { outcome, failure } = await subject('endless.js').executeFresh(
      { kind: 'observed' },
      { watchdogMs: 0 },
    );
    assert.deepEqual([outcome, failure?.name], ['unknown', 'Timeout']);
  });

  it('that blocks for ever is a deadlock, although the main thread only waits for its workers', async () => {
    const program = subject('abba.js');
    await program.execute({ kind: 'observed' }, options);
    // Each takes its first lock; the second then waits for the first.
    const schedule = { grants: [0, 2, 1, 1, 2, 1], expected: null };
    const { outcome, waits } = await program.executeFresh({ kind: 'directed', schedule }, options);
    assert.equal(outcome, 'deadlock');
    assert.deepEqual(waits, ['worker 1 waits at m[1]', 'worker 2 waits at m[0]']);
  });
});

/** Programs that start their own workers, in orders of observation and of chance, without the command around them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Op } from '../../../data/threads/trace.ts';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { forcibleCutPoints } from '../../../predictor/threads/forcible.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { forced } from '../../../predictor/threads/schedules.ts';
import { ProgramSubject } from '../../../rescheduler/loops/subject.ts';
import type { CaseId } from '../../../rescheduler/subjects/job.ts';
import { isRun } from '../../extent.ts';
import { temporary } from '../../temporary.ts';

const PROJECT = fileURLToPath(new URL('../../projects/workers', import.meta.url));
const dir = temporary('unweave-loops');
const config = { ...defaultConfig(PROJECT), cacheDir: join(dir, 'cache') };

const subject = (file: string, ...args: string[]): ProgramSubject =>
  subjectOf(join(PROJECT, file), args, null);

function subjectOf(file: string, args: readonly string[], target: CaseId | null): ProgramSubject {
  const argv = [file, ...args];
  const recipe = { execPath: process.execPath, execArgv: [], argv, cwd: PROJECT, runner: false, env: {} };
  return new ProgramSubject(recipe, target, null, config);
}

const options = { watchdogMs: 60_000 };
const SEEDS = [1, 2];

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
    ['crew.js', 'safe'],
    ['relay.js'],
    ['told.js'],
  ];
  for (const [at, [file, ...args]] of safe.entries())
    it([file, ...args].join(' '), async () => {
      const program = subject(file, ...args);
      const { ran, trace } = await program.execute({ kind: 'observed' }, options);
      assert.deepEqual([ran.outcome, ran.failure], ['pass', null]);
      assert.ok(trace !== null && trace.names.threads.length > 1);
      for (const seed of SEEDS.filter((_, which) => isRun(at + which, 4))) {
        const { outcome, failure } = await program.executeFresh({ kind: 'random', seed }, options);
        assert.deepEqual([outcome, failure], ['pass', null], `seed ${seed}`);
      }
    });
});

describe('an execution of a program', () => {
  it('tells what it used that nobody controls', async () => {
    const { ran } = await subject('unseen.js').execute({ kind: 'observed' }, options);
    assert.equal(ran.outcome, 'pass');
    assert.deepEqual(ran.ungated, { 'shared memory in WebAssembly code': 2 });
  });

  it('follows broadcast channels: every other channel receives, and knows the memory that came', async () => {
    const { trace, ran } = await subject('broadcast.js', 'safe').execute({ kind: 'observed' }, options);
    assert.deepEqual([ran.outcome, ran.ungated], ['pass', {}]);
    const { events, names } = trace!;
    assert.deepEqual(names.entities, ['counter']);
    const told = [...events.op].flatMap((op, at) => {
      const name = op === Op.Send || op === Op.Receive ? names.channels[events.object[at]!]! : '';
      return name.startsWith('message')
        ? [`${op === Op.Send ? 'sends' : 'receives'} ${name.split(' ')[1]}`]
        : [];
    });
    // Two that are ready, then one that goes, is through, and makes the other one go; nobody has to hear the end.
    const by = Map.groupBy(told, (each) => each);
    for (let message = 1; message <= 5; message++) {
      assert.equal(by.get(`sends ${message}`)?.length, 1);
      assert.ok((by.get(`receives ${message}`)?.length ?? 0) >= 1);
    }
    assert.ok(names.channels.includes('message 1 over broadcast channel counters'));
  });

  it('knows the memory of WebAssembly wherever it is handed to, and when it has grown', async () => {
    const { trace, ran } = await subject('wasm-memory.js').execute({ kind: 'observed' }, options);
    assert.deepEqual([ran.outcome, ran.ungated], ['pass', {}]);
    assert.deepEqual(trace!.names.entities, ['counter[0]']);
    const accessing = [...trace!.events.op].flatMap((op, at) =>
      op <= Op.Write ? [trace!.events.thread[at]] : [],
    );
    assert.deepEqual([...new Set(accessing)].sort(), [0, 1, 2]);
  });

  it('orders construction, messages and ends of workers, and knows memory that came by message', async () => {
    const { trace } = await subject('ordered.js').execute({ kind: 'observed' }, options);
    const { events, names } = trace!;
    const isOfLoop = (at: number) => names.channels[events.object[at]!]?.startsWith('loop: ') === true;
    const ops = [...events.op].filter(
      (op, at) => op >= Op.Fork && op !== Op.Begin && op !== Op.End && !(op === Op.Send && isOfLoop(at)),
    );
    assert.deepEqual(ops, [
      ...[Op.Fork, Op.Send, Op.Receive, Op.Send, Op.Receive],
      ...[Op.Send, Op.Receive, Op.Join],
    ]);
    assert.deepEqual(names.entities, ['words[0]']);
    assert.ok(names.channels.includes('message 1 to worker 1'));
  });

  it('knows ports of the program wherever they are handed to, and workers made of text', async () => {
    const { trace, ran } = await subject('relay.js').execute({ kind: 'observed' }, options);
    const { events, names } = trace!;
    assert.deepEqual(ran.ungated, {});
    const told = [...events.op].flatMap((op, at) => {
      const channel = op === Op.Send || op === Op.Receive ? names.channels[events.object[at]!]! : '';
      return channel.startsWith('message') ? [`${names.threads[events.thread[at]!]} ${op} ${channel}`] : [];
    });
    const message = 'message 1 to port 2 of channel 1';
    assert.deepEqual(told, [`worker 2 ${Op.Send} ${message}`, `worker 1 ${Op.Receive} ${message}`]);
    assert.deepEqual(names.entities.toSorted(), ['words[0]', 'words[1]']);
    const places = names.points.filter((place) => place.startsWith('[text '));
    assert.equal(new Set(places.map((place) => place.split(':')[0])).size, 2);
  });

  it('sees an array that is itself what a worker is handed', async () => {
    const { trace } = await subject('handed.js').execute({ kind: 'observed' }, options);
    assert.deepEqual(trace!.names.entities, ['workerData']);
  });

  it('orders what is asked for on a port like what comes by itself', async () => {
    const program = subject('crew.js');
    const { trace } = await program.execute({ kind: 'observed' }, options);
    const found = forcibleCutPoints(trace!, newTally());
    const lost = found.find(({ entity, pattern }) => entity === 'total' && pattern === 'RWW')!;
    const schedule = forced(trace!, lost);
    const again = await program.executeFresh({ kind: 'directed', schedule }, options);
    assert.deepEqual([again.followed, again.outcome], ['followed', 'fail']);
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

  it('of a test case that fails ends there, whatever workers it has left', async () => {
    const target = { file: join(PROJECT, 'leftover.test.js'), name: 'fails', ordinal: 0 };
    const { outcome, failure } = await subjectOf(target.file, [], target).executeFresh(
      { kind: 'observed' },
      { watchdogMs: 0 },
    );
    assert.deepEqual([outcome, failure?.message], ['fail', 'and leaves a worker']);
  });

  it('that never ends is no verdict', async () => {
    // Of the five seconds that a process has for its start and its end three are left.
    const { outcome, failure } = await subject('endless.js').executeFresh(
      { kind: 'observed' },
      { watchdogMs: -2000 },
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
    assert.deepEqual(waits, [
      'main waits for other threads at abba.js:10:3: nothing is left in its event loop',
      'worker 1 waits at m[1]',
      'worker 2 waits at m[0]',
    ]);
  });
});

/** Programs that start their own workers, with the event loop of each thread under the gate. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ThreadSchedule } from '../../../data/threads/schedule.ts';
import { withoutTasks } from '../../../data/threads/tasks.ts';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { forcibleCutPoints } from '../../../predictor/threads/forcible.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { forced } from '../../../predictor/threads/schedules.ts';
import { ProgramSubject } from '../../../rescheduler/loops/subject.ts';
import { preemptions } from '../../../rescheduler/tokens/preemptions.ts';
import { isRun, MORE } from '../../extent.ts';
import { temporary } from '../../temporary.ts';
import { groupsOf } from './groups.ts';

const PROJECT = fileURLToPath(new URL('../../projects/own-loops', import.meta.url));
const dir = temporary('unweave-gated');
const config = { ...defaultConfig(PROJECT), cacheDir: join(dir, 'cache') };

function program(file: string, ...args: string[]): ProgramSubject {
  const recipe = recipeOf([join(PROJECT, file), ...args]);
  return new ProgramSubject(recipe, null, null, config);
}

function testCase(file: string, name: string): ProgramSubject {
  const path = join(PROJECT, file);
  return new ProgramSubject(recipeOf([path]), { file: path, name, ordinal: 0 }, null, config);
}

const recipeOf = (argv: string[]) => ({
  ...{ execPath: process.execPath, execArgv: [], argv, cwd: PROJECT, runner: false, env: {} },
});
const options = { watchdogMs: 60_000 };

/** The schedule predicted first for a lost update of `entity`. */
async function predicted(subject: ProgramSubject, entity: string): Promise<ThreadSchedule> {
  const { ran, trace } = await subject.execute({ kind: 'observed' }, options, true);
  assert.deepEqual([ran.outcome, ran.ungated], ['pass', {}]);
  const found = forcibleCutPoints(trace!, newTally());
  return forced(trace!, found.find((each) => each.entity === entity && each.pattern === 'RWW')!);
}

describe('a race across turns of threads that the program starts', () => {
  it('between two workers that read a file in the middle is forced, and repeated', async () => {
    const unguarded = testCase('bank.test.js', 'unguarded');
    const schedule = await predicted(unguarded, 'balance');
    const { failure, followed, outcome, ...ran } = await unguarded.executeFresh(
      { kind: 'directed', schedule },
      options,
    );
    assert.deepEqual([outcome, followed], ['fail', 'followed']);
    assert.match(failure!.message, /[12]0 !== 30/);
    const taken = { grants: ran.taken, deliveries: ran.deliveries, expected: null };
    const again = await unguarded.executeFresh({ kind: 'directed', schedule: taken }, options);
    assert.deepEqual([again.outcome, again.traceHash], ['fail', ran.traceHash]);
  });

  it('within one worker whose requests interleave is forced by the order of messages', async () => {
    const service = program('service.js');
    const schedule = await predicted(service, 'total');
    const { failure, outcome } = await service.executeFresh({ kind: 'directed', schedule }, options);
    assert.deepEqual([outcome, failure?.name], ['fail', 'AssertionError']);
  });

  it('for a file that the bodies of their modules read and write', async () => {
    const counting = program('count-file.js');
    const { trace } = await counting.execute({ kind: 'observed' }, options, true);
    const lost = forcibleCutPoints(trace!, newTally()).find(({ pattern }) => pattern === 'RWW')!;
    assert.match(lost.entity, /^fs:.*count \(content\)$/);
    const spec = { kind: 'directed', schedule: forced(trace!, lost) } as const;
    const { followed, outcome } = await counting.executeFresh(spec, options);
    assert.deepEqual([followed, outcome], ['followed', 'fail']);
  });

  it('for a file that workers made of text read and write synchronously', async () => {
    const counting = program('count-text.js');
    const { trace } = await counting.execute({ kind: 'observed' }, options, true);
    const lost = forcibleCutPoints(trace!, newTally()).find(({ pattern }) => pattern === 'RWW')!;
    assert.match(lost.entity, /^fs:.*count \(content\)$/);
    const places = trace!.names.points.filter((place) => place.startsWith('[text '));
    assert.deepEqual([...new Set(places.map((place) => place.replace(/^.*\]/, '')))].sort(), [
      ':3:22',
      ':4:1',
    ]);
    const spec = { kind: 'directed', schedule: forced(trace!, lost) } as const;
    const { followed, outcome } = await counting.executeFresh(spec, options);
    assert.deepEqual([followed, outcome], ['followed', 'fail']);
  });

  it('for a file that synchronous calls look for and make', async () => {
    const claim = program('claim.js');
    const { ran, trace } = await claim.execute({ kind: 'observed' }, options, true);
    assert.equal(ran.outcome, 'pass');
    const { events, names } = withoutTasks(trace!);
    const makes = events.point.findIndex((point) => names.points[point] === 'claim-worker.js:11:5');
    const second = names.threads.indexOf('worker 2');
    const { grants } = preemptions(withoutTasks(trace!), 1000).find(
      ({ event, thread }) => event === makes && thread === second,
    )!;
    const schedule = { grants, deliveries: [], expected: null, threads: names.threads };
    const { failure, outcome } = await claim.executeFresh({ kind: 'directed', schedule }, options);
    assert.deepEqual([outcome, failure?.name], ['fail', 'AssertionError']);
  });

  it('is none where who makes the file has it, in any order', async () => {
    const safe = program('claim.js', 'safe');
    const { trace } = await safe.execute({ kind: 'observed' }, options, true);
    const found = forcibleCutPoints(trace!, newTally()).slice(0, 3);
    const specs = [
      ...found.map((each) => ({ kind: 'directed', schedule: forced(trace!, each) }) as const),
      ...[1, 2].map((seed) => ({ kind: 'random', seed }) as const),
    ];
    for (const spec of specs) {
      const { failure, outcome } = await safe.executeFresh(spec, options);
      assert.deepEqual([outcome, failure], ['pass', null]);
    }
  });

  it('is none where the program excludes it', async () => {
    for (const safe of [testCase('bank.test.js', 'guarded'), program('service.js', 'queued')])
      for (const seed of [1, 7]) {
        const { failure, outcome } = await safe.executeFresh({ kind: 'random', seed }, options);
        assert.deepEqual([outcome, failure], ['pass', null]);
      }
  });
});

describe('what is predicted of such programs', () => {
  /** What became of each of its schedules. */
  async function followed(subject: ProgramSubject): Promise<string[]> {
    const { trace } = await subject.execute({ kind: 'observed' }, options, true);
    const ends: string[] = [];
    for (const found of forcibleCutPoints(trace!, newTally())) {
      const spec = { kind: 'directed', schedule: forced(trace!, found) } as const;
      const { followed, outcome } = await subject.executeFresh(spec, options);
      ends.push(`${followed}: ${outcome}`);
    }
    return ends;
  }
  const all = Array.from({ length: 3 }, () => 'followed: fail');

  it('can be followed: a step is chosen when others have brought what it needs', async () => {
    assert.deepEqual(await followed(program('service.js')), all);
  });

  it('comes behind all that it waits for together', async () => {
    assert.deepEqual(await followed(testCase('bank.test.js', 'unguarded')), all);
  });

  it('is nothing that a lock made of Atomics forbids', async () => {
    assert.deepEqual(await followed(program('orders.js', 'a lock made of Atomics is a lock')), []);
  });

  it('may need an answer that is later than the CPU may be', async () => {
    assert.deepEqual(await followed(program('pauses.js')), all);
  });

  it('is nothing where each access comes with a message that was sent behind the other one', async () => {
    assert.deepEqual(await followed(program('turns.js')), []);
  });
});

describe('what plain Node guarantees no order breaks', () => {
  const run = { cwd: PROJECT, encoding: 'utf8' } as const;
  const programs = ['orders.js', 'everyday.js'].flatMap((file) => {
    const names = JSON.parse(execFileSync(process.execPath, [file], run)) as string[];
    return groupsOf(names).map((group) => [file, group] as const);
  });
  for (const [at, [file, group]] of programs.entries())
    it(group.join('; '), isRun(at, 2) ? {} : MORE, async () => {
      // Deliveries as observed, and as chance has them.
      const seed = at % 4 < 2 ? at : at + 6;
      const { failure, outcome, ungated } = await program(file, ...group).executeFresh(
        { kind: 'random', seed },
        options,
      );
      assert.deepEqual([outcome, failure, ungated], ['pass', null, {}]);
    });
});

describe('a program whose event loops cannot be under the gate', () => {
  it('is run as it is, and told', async () => {
    const { ran } = await testCase('early.test.js', 'adds').execute({ kind: 'observed' }, options);
    assert.equal(ran.outcome, 'pass');
    assert.deepEqual(Object.keys(ran.ungated), [
      'event loops of threads, for a worker that was started outside of the test',
    ]);
  });
});

it('text that is made while it runs imports what it imports natively', async () => {
  for (const file of ['imports-by-text.js', 'evaluated.js', 'throws-in-text.js']) {
    const { ran } = await program(file).execute({ kind: 'observed' }, options, true);
    assert.deepEqual([file, ran.outcome, ran.failure, ran.ungated], [file, 'pass', null, {}]);
  }
});

it('a worker that exits while it exits ends', async () => {
  const { ran } = await program('exits-again.js').execute({ kind: 'observed' }, { watchdogMs: 5_000 }, true);
  // Threads that do not come to rest are left to themselves, which is said.
  assert.deepEqual([ran.outcome, ran.failure, ran.ungated], ['pass', null, {}]);
});

it('of a process that was ended it is known whether its threads had come to what others share', async () => {
  for (const [first, expected] of Object.entries({ nothing: true, file: false, memory: false })) {
    const reply = await program('ends-all.js', first).execute({ kind: 'observed' }, options, true);
    assert.deepEqual([first, reply.ran.failure?.name, reply.isUntouched], [first, 'ProcessEnded', expected]);
  }
});

it('what a worker says about its heap is not taken for a deadlock', async () => {
  const { ran } = await program('asks.js').execute({ kind: 'observed' }, options, true);
  assert.notEqual(ran.outcome, 'deadlock');
  assert.deepEqual(ran.ungated, { 'event loops of threads, for getHeapSnapshot of a worker': 1 });
});

/** Orders next to a failing one, on a program that is small enough to be executed here: each thread a list of steps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CutPoint } from '../../../data/prediction.ts';
import type { ThreadSchedule } from '../../../data/threads/schedule.ts';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import { accessAt } from '../../../predictor/threads/told.ts';
import { firstDifference } from '../../../rescheduler/tokens/follow.ts';
import { checkFix, nearestPassing } from '../../../rescheduler/tokens/neighbours.ts';
import type { ThreadReply } from '../../../rescheduler/tokens/protocol.ts';

/** Reads or writes x or y; what is written is one more than what the thread read there last. */
type Step = 'rx' | 'wx' | 'ry' | 'wy';
type Program = readonly (readonly Step[])[];
const ENTITIES = ['x', 'y'];

/** Takes the granted steps as far as there are any, then each thread to its end. */
function execute(program: Program, grants: readonly number[]): { trace: ThreadTrace; memory: number[] } {
  const at = program.map(() => 0);
  const order: [number, Step, number][] = [];
  const memory = [0, 0];
  const seen = program.map(() => [0, 0]);
  const go = (thread: number, steps: number): void => {
    for (let i = 0; i < steps && at[thread]! < program[thread]!.length; i++) {
      const nth = at[thread]!++;
      const step = program[thread]![nth]!;
      const entity = ENTITIES.indexOf(step[1]!);
      if (step[0] === 'r') seen[thread]![entity] = memory[entity]!;
      else memory[entity] = seen[thread]![entity]! + 1;
      order.push([thread, step, nth]);
    }
  };
  for (let i = 0; i < grants.length; i += 2) go(grants[i]!, grants[i + 1]!);
  for (const thread of program.keys()) go(thread, Number.POSITIVE_INFINITY);
  const points = program.flatMap((steps, thread) => steps.map((_, nth) => `t${thread}.ts:${nth + 1}:1`));
  const events = {
    length: order.length,
    op: Uint8Array.from(order, ([, step]) => (step[0] === 'r' ? Op.Read : Op.Write)),
    thread: Uint16Array.from(order, ([thread]) => thread),
    object: Int32Array.from(order, ([, step]) => ENTITIES.indexOf(step[1]!)),
    point: Int32Array.from(order, ([thread, , nth]) => points.indexOf(`t${thread}.ts:${nth + 1}:1`)),
  };
  const names = { threads: program.map((_, i) => `t${i}`), entities: ENTITIES, points };
  return { memory, trace: { events, names: { ...names, locks: [], channels: [], transactions: [] } } };
}

/** Fails where `isLost` says so of the memory in the end. */
const runner =
  (program: Program, isLost: (memory: readonly number[]) => boolean) =>
  async ({ expected, grants }: ThreadSchedule): Promise<ThreadReply> => {
    const { memory, trace } = execute(program, grants);
    const isFollowed = !expected || firstDifference(expected, trace) < 0;
    const ran = { outcome: isLost(memory) ? 'fail' : 'pass', followed: isFollowed ? 'followed' : 'diverged' };
    return { ran, trace, sites: [], reusable: true } as unknown as ThreadReply;
  };

const cutPoint = (trace: ThreadTrace, [first, remote, second]: [number, number, number]): CutPoint => ({
  ...{ id: 'c', pattern: 'RWW', entity: ENTITIES[trace.events.object[first]!]!, rank: 0, reasons: [] },
  ...{ transaction: '', locksFirst: [], locksRemote: [] },
  first: accessAt(trace, first),
  remote: accessAt(trace, remote),
  second: accessAt(trace, second),
});

const LOST: Program = [
  ['rx', 'wx'],
  ['rx', 'wx'],
];
const isLostX = ([x]: readonly number[]): boolean => x !== 2;

test('an order that fails for a torn span passes with the span whole, and with the remote access beside it', async () => {
  const { trace, memory } = execute(LOST, [0, 1, 1, 2, 0, 1]);
  assert.ok(isLostX(memory));
  const run = runner(LOST, isLostX);
  assert.deepEqual(await checkFix([cutPoint(trace, [0, 2, 3])], [trace], run), { ok: 1, of: 1, entity: 'x' });
  const near = await nearestPassing(trace, { first: 0, remote: 2, second: 3 }, run);
  assert.deepEqual([near?.step, near?.now, near?.anchor], [2, 'after', 3]);
});

test('of two spans that cross both are put together, whichever is told', async () => {
  const { trace, memory } = execute(LOST, [0, 1, 1, 1, 0, 1, 1, 1]);
  assert.ok(isLostX(memory));
  const told = cutPoint(trace, [1, 2, 3]);
  const run = runner(LOST, isLostX);
  // Nothing says that the other two belong together.
  assert.deepEqual(await checkFix([told], [trace], run), { ok: 0, of: 1, entity: 'x' });
  const within = inCalls(trace);
  const runWithin: typeof run = async (schedule) => {
    const reply = await run({ ...schedule, expected: null });
    return { ...reply, trace: inCalls(reply.trace!) };
  };
  const inCall = cutPoint(within, [3, 4, 6]);
  assert.deepEqual(await checkFix([inCall], [within], runWithin), { ok: 1, of: 1, entity: 'x' });
});

/** Each thread a call from its first to its last event. */
function inCalls({ events, names }: ThreadTrace): ThreadTrace {
  const rows: [number, number, number, number][] = [];
  const { length, object, op, point, thread } = events;
  for (let i = 0; i < length; i++) {
    const own = thread[i]!;
    if (thread.indexOf(own) === i) rows.push([Op.Begin, own, -1, 0]);
    rows.push([op[i]!, own, object[i]!, point[i]!]);
    if (thread.lastIndexOf(own) === i) rows.push([Op.End, own, -1, 0]);
  }
  const column = (at: number): number[] => rows.map((row) => row[at]!);
  const wrapped = {
    length: rows.length,
    op: Uint8Array.from(column(0)),
    thread: Uint16Array.from(column(1)),
    object: Int32Array.from(column(2)),
    point: Int32Array.from(column(3)),
  };
  return { names, events: wrapped };
}

test('each torn span of an order is put together', async () => {
  const twice: Program = [
    ['rx', 'wx', 'rx', 'wx'],
    ['rx', 'wx', 'rx', 'wx'],
  ];
  const isLost = ([x]: readonly number[]): boolean => x !== 4;
  const { trace } = execute(twice, [0, 1, 1, 2, 0, 2, 1, 2, 0, 1]);
  const [one, two] = [cutPoint(trace, [0, 2, 3]), cutPoint(trace, [4, 6, 7])];
  assert.deepEqual(await checkFix([one, two], [trace], runner(twice, isLost)), { ok: 1, of: 1, entity: 'x' });
  assert.equal((await checkFix([one], [trace], runner(twice, isLost)))?.ok, 0, 'the other one is still torn');
});

test('accesses that are not to blame do not let a failing order pass', async () => {
  const both: Program = [
    ['rx', 'ry', 'wy', 'wx'],
    ['rx', 'wx', 'ry', 'wy'],
  ];
  const { trace } = execute(both, [0, 2, 1, 4, 0, 2]);
  const bystander = cutPoint(trace, [1, 5, 6]);
  assert.equal(bystander.entity, 'y');
  const run = runner(both, isLostX);
  // Only what comes between the two accesses of y is moved, and x is lost as before.
  const narrow = execute(both, [0, 1, 1, 2, 0, 1, 1, 2, 0, 2]).trace;
  assert.deepEqual(await checkFix([cutPoint(narrow, [3, 5, 6])], [narrow], run), {
    ok: 0,
    of: 1,
    entity: 'y',
  });
});

test('of two accesses that changed places either is put back', async () => {
  const order: Program = [['wx'], ['rx', 'wy']];
  // t1 is to find what t0 wrote: y tells.
  const { trace } = execute(order, [1, 2, 0, 1]);
  const run = async (schedule: ThreadSchedule): Promise<ThreadReply> => {
    const taken = execute(order, schedule.grants).trace;
    const isEarly = taken.events.thread[0] === 1;
    return { ...(await runner(order, () => isEarly)(schedule)), trace: taken };
  };
  const near = await nearestPassing(trace, { first: 0, second: 2 }, run);
  assert.deepEqual([near?.step, near?.now, near?.anchor], [0, 'after', 2]);
});

test('an order that could not be taken says nothing', async () => {
  const { trace } = execute(LOST, [0, 1, 1, 2, 0, 1]);
  const run = async (schedule: ThreadSchedule): Promise<ThreadReply> => {
    const reply = await runner(LOST, isLostX)(schedule);
    return { ...reply, ran: { ...reply.ran, followed: 'infeasible' } };
  };
  assert.equal(await checkFix([cutPoint(trace, [0, 2, 3])], [trace], run), null);
  assert.equal(await nearestPassing(trace, { first: 0, remote: 2, second: 3 }, run), null);
});

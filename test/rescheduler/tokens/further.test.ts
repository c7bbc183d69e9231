/** What is predicted of orders of threads that were taken and passed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CutPoint, Schedule } from '../../../data/prediction.ts';
import type { RunResult } from '../../../data/run.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { type Attempt, unplanned } from '../../../rescheduler/investigate/attempt.ts';
import { FurtherThreads, type PredictedOrder } from '../../../rescheduler/tokens/further.ts';

function cut(entity: string, at: string): CutPoint {
  const access = { task: 'worker 1', at };
  return { pattern: 'RWR', entity, first: access, remote: access, second: access } as unknown as CutPoint;
}
const schedule = (id: string): Schedule => unplanned(id, [`worker 1 ${id}`]);

const ran = (outcome: string, followed = 'followed') => ({ outcome, followed }) as unknown as RunResult;
const attempt = (cutPoint: CutPoint | null, id: string) => ({ cutPoint, schedule: schedule(id) }) as Attempt;
const trace = {} as ThreadTrace;

/** Of each order that is recorded: its steps, and those that are forced behind it. */
function further(predicted: readonly PredictedOrder[], looked: readonly [Attempt, RunResult][]) {
  const orders = new FurtherThreads(() => predicted);
  for (const [tried, result] of looked) orders.look(tried, result);
  const found: unknown[] = [];
  for (const { records, schedule } of orders.orders())
    found.push([records, schedule.steps, ...orders.learn(trace).map((each) => each.schedule.id)]);
  return found;
}

test('an order that showed its cut point and passed is recorded, one for each entity', () => {
  const looked: [Attempt, RunResult][] = [
    [attempt(cut('lock[0]', 'a:1'), '1'), ran('pass')],
    [attempt(cut('lock[0]', 'a:2'), '2'), ran('pass')],
    [attempt(cut('file', 'a:3'), '3'), ran('pass')],
    [attempt(cut('other', 'a:4'), '4'), ran('pass', 'infeasible')],
    [attempt(cut('third', 'a:5'), '5'), ran('fail')],
    [attempt(null, '6'), ran('pass')],
  ];
  assert.deepEqual(further([], looked), [
    [true, ['worker 1 1']],
    [true, ['worker 1 3']],
  ]);
});

test('what is predicted of it is forced, but what was shown before', () => {
  const lock = cut('lock[0]', 'a:1');
  const file = cut('file', 'a:3');
  const predicted = [
    { cutPoint: lock, schedule: schedule('again') },
    // It was tried in the observed order, and is kept apart there.
    { cutPoint: file, schedule: schedule('guarded') },
  ];
  const looked: [Attempt, RunResult][] = [
    [attempt(lock, '1'), ran('pass')],
    [attempt(file, '3'), ran('pass', 'infeasible')],
    [attempt(cut('other', 'a:4'), '4'), ran('pass')],
  ];
  assert.deepEqual(further(predicted, looked), [
    [true, ['worker 1 1'], 'further-1-guarded'],
    [true, ['worker 1 4']],
  ]);
});

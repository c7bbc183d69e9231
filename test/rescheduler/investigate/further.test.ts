/** What is predicted of orders that come to something new. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CutPoint, Schedule } from '../../../data/prediction.ts';
import type { Trace } from '../../../data/trace.ts';
import { type Attempt, type Known, type Tried, unplanned } from '../../../rescheduler/investigate/attempt.ts';
import { FURTHER } from '../../../rescheduler/investigate/further.ts';
import { LoopOrders } from '../../../rescheduler/investigate/loop-orders.ts';

const cut = (id: string): CutPoint => ({ id }) as unknown as CutPoint;
const order = (id: string, cutPoint: string | null = null): Schedule => ({
  ...unplanned(id, [`D:${id}`]),
  cutPoint,
});

function knownOf(failures: () => number): Known {
  return {
    get failures() {
      return failures();
    },
    get hasRace() {
      return failures() > 0;
    },
    ...{ refutations: 0, left: 100, leftMs: 1000, asideMs: 0, bounded: null, orders: null },
    novelty: { begin: () => {}, isOver: () => true } as unknown as Known['novelty'],
  };
}

/** What each attempt was, with the steps that it takes as `steps` says; those that are recorded have the requests of these. */
function tried(
  orders: LoopOrders,
  steps: (attempt: Attempt) => readonly string[],
  failures: (ids: readonly string[]) => number = () => 0,
): string[] {
  const ids: string[] = [];
  const known = knownOf(() => failures(ids));
  // Nothing is searched for behind what was predicted.
  known.orders = { count: 1, all: true };
  const attempts = orders.attempts(known);
  for (let next = attempts.next(); !next.done; ) {
    const { value } = next;
    ids.push(`${value.schedule.id}${value.records ? ' recorded' : ''}`);
    const taken = steps(value);
    const requests = taken.map((step) => ({ name: step.slice(2) }));
    const trace = value.records ? ({ requests } as unknown as Trace) : undefined;
    const result = { outcome: 'pass', steps: taken, breadth: 0, ...(trace && { trace }) };
    next = attempts.next(result as unknown as Tried);
  }
  return ids;
}

/** One schedule was predicted of the observed run; what is predicted of others depends on their requests. */
const predicted = { cutPoints: [cut('c1')], schedules: [order('s1', 'c1')] };
const ofRetry = {
  cutPoints: [cut('c1'), cut('c2')],
  schedules: [order('again', 'c1'), order('behind', 'c2'), order('bare')],
};
const options = { strategy: 'directed', maxSchedules: 100, seed: 1 } as const;
const predict = ({ requests }: Trace) =>
  requests.some(({ name }) => name === 'retry') ? ofRetry : { cutPoints: [], schedules: [] };
const looking = () => new LoopOrders(['D:a'], predicted, { ...options, predict });
const retries = ({ schedule }: Attempt): string[] =>
  schedule.id === 's1' || schedule.id.startsWith(FURTHER) ? ['D:a', 'D:retry'] : ['D:a'];

test('an order with a request that no recorded run has is recorded, and what that predicts is forced', () => {
  assert.deepEqual(tried(looking(), retries), ['s1', 'further-run-1 recorded', 'further-behind']);
});

test('orders without news predict nothing', () => {
  assert.deepEqual(
    tried(looking(), () => ['D:a']),
    ['s1'],
  );
});

test('nor does an order of a search behind which every order was executed', () => {
  const choices = [['D:a', 'D:retry']];
  const orders = new LoopOrders(
    ['D:a'],
    { cutPoints: [], schedules: [] },
    { ...options, expected: 2, predict },
  );
  const known = knownOf(() => 0);
  const ids: string[] = [];
  const attempts = orders.attempts(known);
  for (let next = attempts.next(); !next.done; ) {
    const { schedule, spec } = next.value;
    ids.push(schedule.id);
    const [first = 'D:a'] = spec.kind === 'prefix' ? spec.prefix : [];
    const result = { outcome: 'pass', steps: [first], choices, breadth: 0, ungated: {} };
    next = attempts.next(result as unknown as Tried);
  }
  assert.deepEqual([ids, known.orders], [['dfs-0', 'dfs-1'], { count: 2, all: true }]);
});

test('nor is anything predicted where something has failed already', () => {
  assert.deepEqual(
    tried(looking(), retries, () => 1),
    ['s1'],
  );
});

test('news of what was predicted so are recorded as well, a few times', () => {
  let nth = 0;
  const more = ({ schedule }: Attempt): string[] => [
    'D:a',
    `D:retry`,
    ...(schedule.id === 's1' ? [] : [`D:${++nth}`]),
  ];
  const orders = new LoopOrders(['D:a'], predicted, {
    ...options,
    predict: () => ({ cutPoints: [cut(`c${nth + 2}`)], schedules: [order(`o${nth}`, `c${nth + 2}`)] }),
  });
  const ids = tried(orders, more);
  assert.deepEqual(
    ids.filter((id) => id.endsWith('recorded')),
    ['further-run-1 recorded', 'further-run-2 recorded', 'further-run-3 recorded'],
  );
});

/** A check of x is turned round by s1, and what the check is there for is predicted of that run alone. */
const checked = { ...cut('check'), pattern: 'RWW', entity: 'x' } as CutPoint;
const ofBoth = {
  cutPoints: [checked, { ...cut('more'), entity: 'x' }, { ...cut('guarded'), entity: 'y' }],
  schedules: [order('known', 'check'), order('own', 'more'), order('other', 'guarded')],
};
const turning = () =>
  new LoopOrders(
    ['D:a'],
    { cutPoints: [checked], schedules: [order('s1', 'check')] },
    { ...options, predict: () => ofBoth },
  );
const searched = (followed: string): string[] => {
  const known = { ...knownOf(() => 0), orders: null };
  const ids: string[] = [];
  const attempts = turning().attempts(known);
  for (let next = attempts.next(); !next.done; ) {
    const { schedule, records } = next.value;
    ids.push(`${schedule.id}${records ? ' recorded' : ''}`);
    const result = {
      outcome: 'pass',
      steps: ['D:a'],
      breadth: 0,
      followed,
      ...(records && { trace: { requests: [] } }),
    };
    next = attempts.next(result as unknown as Tried);
  }
  return ids.filter((id) => id === 's1' || id.startsWith(FURTHER));
};

test('an order that turned a check round and passed is recorded; another variable than that of the check comes first', () => {
  assert.deepEqual(searched('followed'), [
    's1',
    'further-run-turned-1 recorded',
    'further-turned-1-other',
    'further-turned-1-own',
  ]);
});

test('an order that was not taken as predicted has turned nothing round', () => {
  assert.deepEqual(searched('diverged'), ['s1']);
});

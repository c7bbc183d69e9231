/** An order for drawing: what is kept of a long one, and what spans its rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedIn } from '../../cli/stages/suite.ts';
import { EventKind } from '../../data/trace.ts';
import { ordersOf, rowsOfSteps, timelineOf } from '../../report/rows.ts';
import { longTrace } from './html/pages.ts';

test('a long order keeps its ends and what lies around the accesses, with places in the whole', () => {
  const { trace, cutPoint } = longTrace(20_000);
  const { rows, total, requests } = timelineOf(trace, cutPoint);
  // One access took the place of a turn.
  assert.ok(rows.length < 700 && total > 9000, `${rows.length} of ${total}`);
  assert.deepEqual(
    rows.flatMap(({ role, at }) => (role ? [[role, at]] : [])),
    [
      ['first', 50],
      ['remote', 5001],
      ['second', 9902],
    ],
  );
  const request = requests.find(({ delivered }) => delivered === 20)!;
  assert.deepEqual(request, { task: 'alice', issued: 19, effect: null, delivered: 20 });
});

test('a lock is a span from where it is taken to where it is given back, and keeps state apart', () => {
  const { trace, cutPoint } = longTrace(1000);
  const { kind, object, activation } = trace.events;
  const put = (event: number, what: EventKind): void => {
    kind[event] = what;
    object[event] = 0;
    activation[event] = 1;
  };
  put(98, EventKind.Acquire);
  put(102, EventKind.Release);
  const locked = { ...trace, locks: [{ id: 0, name: 'Mutex@src/bank.ts:2' }] };
  const [lock] = timelineOf(locked, cutPoint).locks;
  assert.equal(lock!.name, 'Mutex@src/bank.ts:2');
  assert.ok(lock!.to !== null && lock!.from < lock!.to);
  const shared = sharedIn(locked).get('Account#balance')!;
  assert.deepEqual(shared, { tasks: ['alice', 'bob'], reads: 1, writes: 2, locks: [] });
});

test('steps by their names are rows; what the run did not ask for is none', () => {
  const { trace } = longTrace(10);
  assert.deepEqual(
    rowsOfSteps(trace, ['E:r1', 'X:r1', 'D:r1', 'D:gone', '*']).map(
      ({ task, what, kind }) => `${task} ${what} ${kind}`,
    ),
    ['bob fs.readFile part-1.json effect', 'bob fs.readFile part-1.json deliver'],
  );
});

test('of a short failing order and a long natural one neither is cut, so that what both have is in both', () => {
  const [long, short] = [longTrace(1000), longTrace(60)];
  const ofRest = ({ activations, ...rest }: typeof long.trace) => ({
    ...rest,
    activations: activations.map((a) => (a.id === 2 ? { ...a, path: 'root.test' } : a)),
  });
  const { natural, failing } = ordersOf(ofRest(long.trace), ofRest(short.trace), short.cutPoint);
  const usual = new Set(natural.map(({ name }) => name));
  assert.deepEqual(
    failing.filter(({ kind, name }) => kind !== 'access' && !usual.has(name)),
    [],
  );
  assert.ok(failing.some(({ task }) => task === 'bob'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatedTrace } from '../../bench/lib/trace.ts';
import { predict } from '../../predictor/predict.ts';
import { switchesOf } from '../../predictor/switches.ts';
import { TraceBuilder } from './trace-builder.ts';

/** Task reads x, waits for a request, writes x. `late`: the second task begins after a timer. */
function lostUpdate(options: { late?: boolean; lock?: boolean } = {}): TraceBuilder {
  const b = new TraceBuilder();
  const one = b.activation('alice');
  const two = b.activation('bob');
  const section = (task: number, io: string, startedBy?: number): void => {
    b.begin(task, startedBy);
    if (options.lock) b.begin(task, b.wait('mutex'));
    if (options.lock) b.acquire('mutex');
    b.read('Account#balance', 'r');
    const request = b.issue('pool', io);
    b.effect(request);
    const freed = b.deliver(request);
    b.begin(task, freed);
    b.write('Account#balance', 'w');
    if (options.lock) b.release('mutex');
  };
  if (options.late) {
    b.begin(two);
    const timer = b.issue('timer', 'root.bob|setTimeout#1', 50);
    section(one, 'root.alice|fs.stat#1');
    const freed = b.deliver(timer);
    section(two, 'root.bob|fs.stat#1', freed);
  } else {
    const sections: [number, number][] = [one, two].map((task) => {
      b.begin(task);
      b.read('Account#balance', 'r');
      return [task, b.issue('pool', `root.${task}|fs.stat#1`)];
    });
    for (const [, request] of sections) b.effect(request);
    for (const [task, request] of sections) {
      b.begin(task, b.deliver(request));
      b.write('Account#balance', 'w');
    }
  }
  return b;
}

test('a lost update behind one file request is predicted', () => {
  // Both read before either wrote: the triple is there in the observed order already.
  const { cutPoints, schedules, stats } = predict(lostUpdate().build());
  assert.ok(stats.faithful);
  assert.ok(cutPoints.some((c) => c.pattern === 'RWW' && c.entity === 'Account#balance'));
  assert.ok(schedules.length > 0);
});

test('the second task waits for a timer: the first answer is held beyond it, at a stall of its delay', () => {
  const { cutPoints, schedules } = predict(lostUpdate({ late: true }).build());
  const rww = cutPoints.find((c) => c.pattern === 'RWW' && c.transaction === 'root.alice');
  assert.ok(rww);
  const schedule = schedules.find((s) => s.cutPoint === rww.id);
  assert.equal(schedule?.stallMs, 50);
  assert.deepEqual(schedule?.steps, [
    'E:root.alice|fs.stat#1',
    'D:root.bob|setTimeout#1',
    'E:root.bob|fs.stat#1',
    'D:root.bob|fs.stat#1',
    'D:root.alice|fs.stat#1',
  ]);
});

test('of triples that are worth the same and ask for one order, the closest explains it', () => {
  const b = new TraceBuilder();
  const [alice, bob] = [b.activation('alice'), b.activation('bob')];
  const entities = ['Shop#outer', 'Shop#middle', 'Shop#inner'];
  b.begin(bob);
  const timer = b.issue('timer', 'root.bob|setTimeout#1', 50);
  b.begin(alice);
  for (const entity of entities) b.read(entity, `first ${entity}`);
  const answer = b.issue('pool', 'root.alice|fs.stat#1');
  b.effect(answer);
  b.begin(alice, b.deliver(answer));
  for (const entity of entities.toReversed()) b.read(entity, `second ${entity}`);
  b.begin(bob, b.deliver(timer));
  for (const entity of entities) b.write(entity, `write ${entity}`);
  const { cutPoints, schedules } = predict(b.build());
  assert.deepEqual(new Set(cutPoints.map(({ rank }) => rank)).size, 1);
  const explained = schedules.map((s) => cutPoints.find(({ id }) => id === s.cutPoint)?.entity);
  assert.deepEqual(explained, ['Shop#inner']);
});

test('of triples that are worth the same those come first that the test looks at, then those that it depends on', () => {
  const b = new TraceBuilder();
  const [alice, bob] = [b.activation('alice'), b.activation('bob')];
  const entities = ['Shop#visits', 'Shop#price', 'Shop#total'];
  const sections = entities.map((entity) => {
    b.begin(alice);
    b.read(entity, `read ${entity}`);
    return b.issue('pool', `root.alice|fs.stat#${entity}`);
  });
  b.begin(bob);
  const timer = b.issue('timer', 'root.bob|setTimeout#1', 50);
  for (const [i, entity] of entities.entries()) {
    b.effect(sections[i]!);
    b.begin(alice, b.deliver(sections[i]!));
    b.write(entity, `write ${entity}`);
  }
  b.begin(bob, b.deliver(timer));
  b.read('Shop#price', 'price of a visit');
  for (const entity of entities) b.write(entity, `write ${entity}`);
  const order = (): (string | undefined)[] => {
    const { cutPoints, schedules } = predict(b.build());
    const entityOf = schedules.map((s) => cutPoints.find(({ id }) => id === s.cutPoint)?.entity);
    return [...new Set(entityOf)];
  };
  const [total, ...others] = order();
  assert.equal(total, 'Shop#total', 'its accesses lie closest');
  assert.equal(others.length, 2);
  b.begin(0, b.condition({ kind: 'job', job: 5 }));
  b.read('Shop#visits', 'assertion');
  assert.deepEqual(order(), ['Shop#visits', 'Shop#price', 'Shop#total']);
});

test('a stall beyond the bound is not predicted', () => {
  const { cutPoints } = predict(lostUpdate({ late: true }).build(), { loop: { maxStallMs: 40 } });
  assert.equal(cutPoints.filter((c) => c.transaction === 'root.alice').length, 0);
});

test('a lock around both sections leaves nothing to predict, and is named as the reason', () => {
  const { cutPoints, stats } = predict(lostUpdate({ late: true, lock: true }).build());
  assert.deepEqual(cutPoints, []);
  assert.ok(Object.keys(stats.reasons).includes('both hold mutex'));
});

test('crossed locks are predicted as an order that gets stuck', () => {
  const b = new TraceBuilder();
  const both = (name: string, first: string, second: string): void => {
    const task = b.activation(name);
    b.begin(task);
    b.begin(task, b.wait(first));
    b.acquire(first);
    const io = b.issue('pool', `root.${name}|fs.stat#1`);
    b.effect(io);
    b.begin(task, b.deliver(io));
    b.begin(task, b.wait(second));
    b.acquire(second);
    b.release(second);
    b.release(first);
  };
  both('one', 'A', 'B');
  both('two', 'B', 'A');
  const { schedules } = predict(b.build());
  assert.equal(schedules.filter((s) => s.cutPoint === null).length, 1);
});

test('a timer that started later overtakes one that is due earlier, if that one can have started later', () => {
  const b = new TraceBuilder();
  const alice = b.activation('alice');
  const bob = b.activation('bob');
  b.begin(alice);
  b.read('Account#balance', 'r');
  const long = b.issue('timer', 'root.alice|setTimeout#1', 6);
  b.begin(bob);
  const first = b.issue('timer', 'root.bob|setTimeout#1', 3);
  b.begin(bob, b.deliver(first));
  const second = b.issue('timer', 'root.bob|setTimeout#2', 4);
  b.begin(alice, b.deliver(long));
  b.write('Account#balance', 'w');
  b.begin(bob, b.deliver(second));
  b.write('Account#balance', 'w');
  const { cutPoints } = predict(b.build());
  assert.deepEqual(
    cutPoints.map(({ pattern, transaction }) => `${pattern} ${transaction}`),
    ['RWW root.alice'],
  );
});

test('jobs of one turn keep their observed order: how many microtasks lie before each is not recorded', () => {
  const b = new TraceBuilder();
  const one = b.activation('one');
  const two = b.activation('two');
  b.begin(one);
  const granted = b.wait('mutex');
  const io = b.issue('pool', 'root.one|fs.stat#1');
  // A lock that is free is granted at once, but it takes some microtasks until its holder goes on.
  b.begin(two);
  b.write('Account#balance', 'w');
  b.begin(one, granted);
  b.acquire('mutex');
  b.read('Account#balance', 'r');
  b.release('mutex');
  b.effect(io);
  b.begin(one, b.deliver(io));
  assert.ok(predict(b.build()).stats.faithful);
});

test('schedules of a large trace: each order once, none the recorded one, nothing left', () => {
  const trace = generatedTrace(1000);
  const { schedules, stats } = predict(trace);
  assert.equal(stats.left, 0);
  assert.equal(new Set(schedules.map(({ steps }) => steps.join())).size, schedules.length);
  assert.equal(new Set(schedules.map(({ id }) => id)).size, schedules.length);
  for (const { steps, switches } of schedules) {
    assert.equal(switches, switchesOf(steps));
    assert.notDeepEqual(steps, trace.steps.slice(0, steps.length));
  }
});

/** Alice reads, is connected to, and writes; bob, who is told that he is connected, writes. */
function connected(isBehind: boolean): TraceBuilder {
  const b = new TraceBuilder();
  const [alice, bob] = ['alice', 'bob'].map((name) => b.activation(name)) as [number, number];
  b.begin(alice);
  b.read('Server#clients', 'r');
  const accept = b.issue('external', 'root.alice|net.accept#1');
  b.begin(bob);
  const connect = b.issue('external', 'root.bob|net.connect#1', 0, isBehind ? accept : -1);
  b.begin(alice, b.deliver(accept));
  b.write('Server#clients', 'w');
  b.begin(bob, b.deliver(connect));
  b.write('Server#clients', 'w');
  return b;
}

test('nothing is predicted in which something comes before what it is behind', () => {
  const between = (isBehind: boolean) =>
    predict(connected(isBehind).build()).schedules.map(({ steps }) => steps);
  assert.deepEqual(between(false), [['D:root.bob|net.connect#1', 'D:root.alice|net.accept#1']]);
  assert.deepEqual(between(true), []);
});

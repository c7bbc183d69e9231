import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitedByTest, type Places, runIns } from '../../predictor/run-ins.ts';
import { TraceBuilder } from './trace-builder.ts';

const PLACES: Places = { isProduct: ({ file }) => file === 'a.ts', isClosing: ({ text }) => text === 'end' };

/** A body that sleeps beside an operation under way, then does something, and waits for the operation. */
function run(
  behind: (b: TraceBuilder) => void,
  goesOn: (b: TraceBuilder) => void,
  isTimerOfOperation = false,
) {
  const b = new TraceBuilder();
  b.begin(0);
  const operation = b.activation('add', 'async');
  // Another one, so that this one is no wrapper of the test.
  b.activation('other', 'async');
  const closing = b.activation('finish', 'async');
  b.begin(operation);
  b.read('Out#rows', 'ready');
  const answer = b.issue('pool', 'read');
  if (!isTimerOfOperation) b.begin(0);
  const timer = b.issue('timer', 'sleep', 40);
  b.begin(closing, b.deliver(timer));
  behind(b);
  const job = b.begin(operation, b.deliver(answer));
  goesOn(b);
  b.begin(0, b.condition({ kind: 'all', of: [b.condition({ kind: 'job', job })] }));
  return b.build();
}

const write = (b: TraceBuilder): number => b.write('Out#rows', 'count');
const found = (trace: ReturnType<typeof run>) =>
  runIns(trace, 'sleep', PLACES).map(({ entity, hadBegun, isGuarded }) => ({ entity, hadBegun, isGuarded }));
const ONE = { entity: 'Out#rows', hadBegun: true, isGuarded: false };

test('what is changed behind a timer, and used by an operation that goes on afterwards', () => {
  assert.deepEqual(found(run(write, write)), [ONE]);
  assert.deepEqual(found(run(write, write, true)), [{ ...ONE, isGuarded: true }]);
  assert.deepEqual(found(run(write, (b) => b.read('Out#rows', 'look'))), [ONE]);
  const [one] = runIns(run(write, write), 'sleep', PLACES);
  assert.deepEqual([one?.operation, (one?.change ?? 0) < (one?.use ?? 0)], ['root.add', true]);
});

test('what is only read there is changed where it is closed', () => {
  const look = (b: TraceBuilder): number => b.read('Out#rows', 'look');
  assert.deepEqual(found(run(look, write)), []);
  assert.deepEqual(found(run((b) => b.read('Out#rows', 'end'), look)), [ONE]);
});

test('nothing is where the test itself does it, nor what the operation does to something else', () => {
  const ofTest = (b: TraceBuilder): void => {
    b.file = 'a.test.ts';
    write(b);
    b.file = 'a.ts';
  };
  assert.deepEqual(found(run(ofTest, write)), []);
  assert.deepEqual(found(run(write, ofTest)), []);
  assert.deepEqual(found(run(write, (b) => b.write('Out#other', 'count'))), []);
  assert.deepEqual(
    found(
      run(
        (b) => b.write('fs:out', 'file'),
        (b) => b.write('fs:out', 'file'),
      ),
    ),
    [],
  );
});

test('what follows from the timer is no operation that it runs into', () => {
  const both = (b: TraceBuilder): void => {
    write(b);
    const next = b.issue('pool', 'next');
    b.deliver(next);
    write(b);
  };
  assert.deepEqual(found(run(both, () => {})), []);
});

test('one that begins behind the timer had not begun', () => {
  const late = (b: TraceBuilder): void => {
    b.begin(b.activation('late', 'async'));
    write(b);
  };
  assert.deepEqual(found(run(write, late)), [{ ...ONE, hadBegun: false }]);
});

test('an operation that the body waits for by itself', () => {
  assert.deepEqual([...awaitedByTest(run(write, write), PLACES)], ['root.add']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeouts } from '../../predictor/timeouts.ts';
import { TraceBuilder } from './trace-builder.ts';

/** Reads a file under a time-out, which is cleared when the answer has come. */
function underTimeOut(delay: number) {
  const b = new TraceBuilder();
  const task = b.activation('alice');
  b.begin(task);
  const first = b.issue('pool', 'root.alice|fs.stat#1');
  b.effect(first);
  b.begin(task, b.deliver(first));
  b.issue('timer', 'root.alice|setTimeout#1', delay);
  const second = b.issue('pool', 'root.alice|fs.read#1');
  b.effect(second);
  b.begin(task, b.deliver(second));
  return b;
}

test('an answer stays behind until a time-out has gone off that was set before it, and what that sets off', () => {
  const [schedule, ...others] = timeouts(underTimeOut(100).build());
  assert.deepEqual(others, []);
  assert.deepEqual(schedule?.steps, [
    'E:root.alice|fs.stat#1',
    'D:root.alice|fs.stat#1',
    'D:root.alice|setTimeout#1',
    '*',
    'E:root.alice|fs.read#1',
  ]);
  assert.deepEqual([schedule.cutPoint, schedule.stallMs], [null, 100]);
});

test('a time-out that fired when nobody waited for it any more is one, until it has fired', () => {
  const b = underTimeOut(100);
  const later = b.issue('pool', 'root.alice|fs.close#1');
  b.deliver(1);
  b.effect(later);
  b.deliver(later);
  assert.deepEqual(timeouts(b.build()), timeouts(underTimeOut(100).build()));
});

test('the timers that are due before a time-out go off before it: those that were set earlier, for no longer', () => {
  const b = new TraceBuilder();
  b.begin(b.activation('alice'));
  b.issue('timer', 'root.alice|setTimeout#1', 150);
  b.issue('timer', 'root.alice|setTimeout#2', 200);
  b.issue('timer', 'root.alice|setTimeout#3', 20);
  b.issue('timer', 'root.alice|setTimeout#4', 150);
  b.issue('timer', 'root.alice|setTimeout#5', 20);
  const answer = b.issue('pool', 'root.alice|fs.read#1');
  b.effect(answer);
  b.begin(0, b.deliver(answer));
  const goOff = timeouts(b.build()).map(({ steps, stallMs }) => [steps, stallMs]);
  const timer = (nth: number) => `D:root.alice|setTimeout#${nth}`;
  assert.deepEqual(goOff, [
    [[timer(3), timer(5), '*', 'E:root.alice|fs.read#1'], 20],
    [[timer(3), timer(1), timer(4), '*', 'E:root.alice|fs.read#1'], 150],
  ]);
});

test('what needs a longer delay than is allowed is left alone, and so are timers that fired', () => {
  assert.deepEqual(timeouts(underTimeOut(1001).build()), []);
  assert.equal(timeouts(underTimeOut(1001).build(), 2000).length, 1);
  const b = underTimeOut(100);
  b.begin(1, b.deliver(1));
  assert.deepEqual(timeouts(b.build()), []);
});

test('what was cleared before the answer does not go off', () => {
  const b = underTimeOut(100);
  b.takeBack(1);
  assert.equal(timeouts(b.build()).length, 1);
  const third = b.issue('pool', 'root.alice|fs.read#2');
  b.effect(third);
  b.deliver(third);
  assert.equal(timeouts(b.build()).length, 1);
});

test('the clock of the built-in fetch is no time-out of anybody', () => {
  const clock = { delay: 499, ref: false };
  const withTimer = (timer: { delay: number; ref: boolean }) => {
    const trace = underTimeOut(499).build();
    const requests = trace.requests.map((each) => (each.kind === 'timer' ? { ...each, ...timer } : each));
    return timeouts({ ...trace, requests }).length;
  };
  assert.equal(withTimer(clock), 0);
  assert.equal(withTimer({ ...clock, ref: true }), 1);
  assert.equal(withTimer({ ...clock, delay: 500 }), 1);
});

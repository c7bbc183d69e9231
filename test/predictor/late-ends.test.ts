import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lateEnds } from '../../predictor/late-ends.ts';
import { TraceBuilder } from './trace-builder.ts';

const END = 'root.job|child_process.exit#1';

/** A child is started, so many files are written, and then its end is told; `since`: when it was started. */
function beside(files: number, isBefore: boolean) {
  const b = new TraceBuilder();
  const task = b.activation('job');
  b.begin(task);
  const write = () => {
    for (let file = 1; file <= files; file++) {
      const written = b.issue('pool', `root.job|fs.write#${file}`);
      b.effect(written);
      b.begin(task, b.deliver(written));
    }
  };
  if (isBefore) write();
  const start = b.issue('immediate', 'root.job|spawn#1');
  b.begin(task, b.deliver(start));
  const end = b.arrive(task, END, start, 'child_process.exit');
  if (!isBefore) write();
  b.deliver(end);
  return lateEnds(b.build());
}
const orders = (files: number, isBefore = false) =>
  beside(files, isBefore).map(({ steps }) => steps.slice(-3));

test('an answer that came while a child was at work comes behind the end of that, which nobody waits for by then', () => {
  assert.deepEqual(orders(1), [[`D:${END}`, '*', 'D:root.job|fs.write#1']]);
});

test('of many answers the last ones are tried, and the first', () => {
  assert.deepEqual(
    orders(5).map((steps) => steps.at(-1)),
    [5, 4, 1].map((file) => `D:root.job|fs.write#${file}`),
  );
});

test('what had answered before the child was there is not', () => {
  assert.deepEqual(orders(2, true), []);
});

/** What another process writes comes in as many pieces as it comes, and says nothing about the test. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sameSteps } from '../../../rescheduler/subjects/same-steps.ts';

const stat = 'D:root|fs.stat#1';
const read = 'D:root|fs.readFile#1';
const piece = (stream: number, n: number) => `D:root|child_process.read#${stream}+${n}`;
const close = (stream: number, n: number) => `${piece(stream, n)}>net.close#1`;

test('steps without a child have to be the same ones in the same order', () => {
  assert.ok(sameSteps([stat, read], [stat, read]));
  assert.ok(!sameSteps([stat, read], [read, stat]));
  assert.ok(!sameSteps([stat, read], [stat]));
});

test('a child may write in other pieces, and its streams in another order', () => {
  const once = [piece(2, 0), close(2, 0), piece(3, 0), close(3, 0)];
  const often = [piece(3, 0), piece(3, 1), piece(2, 0), close(3, 1), close(2, 0)];
  assert.ok(sameSteps(once, often));
  assert.ok(!sameSteps(once, [...often, stat]));
  assert.ok(!sameSteps(once, [piece(2, 0), close(2, 0)]));
});

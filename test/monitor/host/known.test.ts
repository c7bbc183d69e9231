import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownAnswers } from '../../../monitor/host/known.ts';

test('the answers that come next are those that calls made known, until the check phase has told them', () => {
  const behind: (() => void)[] = [];
  const answers = new KnownAnswers((fn) => behind.push(fn));
  const take = (count: number) => Array.from({ length: count }, () => answers.take());
  assert.deepEqual(take(1), [null]);
  answers.add(2, -1);
  answers.add(1, 7);
  assert.deepEqual(take(4), [-1, -1, 7, null]);
  answers.add(2, 9);
  assert.deepEqual(take(1), [9]);
  for (const told of behind) told();
  assert.deepEqual(take(1), [null]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isThrownAt } from '../../predictor/told.ts';

test('the line that threw is that of the first frame, whatever its column', () => {
  const stack = `Error: backlog grew
    at Queue.flush (file:///project/src/queue.ts:7:268)
    at async TestContext.<anonymous> (file:///project/test/queue.test.ts:12:3)`;
  assert.equal(isThrownAt('src/queue.ts:7:29', stack), true);
  assert.equal(isThrownAt('src/queue.ts:71:2', stack), false);
  assert.equal(isThrownAt('test/queue.test.ts:12:3', stack), false, 'it only called');
  assert.equal(isThrownAt('src/queue.ts:7:29', ''), false);
});

/** Threads that cannot go on are told by what they wait for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stuckThreads } from '../../report/stuck.ts';

const IDLE = (thread: string): string =>
  `${thread} waits for other threads at a.js:1:1: nothing is left in its event loop`;

test('locks are told of only where somebody waits for one', () => {
  const locks = ['a waits for left, held by b (a.js:2:1)', 'b waits for right, held by a (a.js:3:1)'];
  assert.match(stuckThreads(locks).sentence, /^2 tasks wait for each other/);
  assert.match(stuckThreads(locks).hint, /^take locks in one order/);
  const woken = stuckThreads([IDLE('main'), 'worker 1 waits at cells[1]']);
  assert.equal(woken.name, 'missed wake-up');
  assert.equal(woken.sentence, '`worker 1` waits at cells[1], and nobody who goes on wakes it up');
  assert.match(stuckThreads(['a waits for a signal of gate (a.js:2:1)']).hint, /^let whoever waits say so/);
  const idle = stuckThreads([IDLE('main'), IDLE('worker 1')]);
  assert.match(idle.sentence, /nothing is left to do for `main` and `worker 1`$/);
  assert.match(idle.hint, /^look for a message that is not sent/);
});

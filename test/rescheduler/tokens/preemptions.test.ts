import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import { preemptions } from '../../../rescheduler/tokens/preemptions.ts';

const TRACE = ['a|r(x)|1', 'a|w(own)|2', 'a|acq(l)|3', 'a|w(x)|4', 'a|rel(l)|5', 'b|r(x)|6', 'b|r(own2)|7'];
const trace = readStd([TRACE.join('\n')]);

describe('schedules with one preemption', () => {
  it('let another thread go first before each step that it could notice or prevent', () => {
    const found = [...preemptions(trace, 100)].map(({ event, grants }) => [event, grants]);
    assert.deepEqual(found, [
      [0, [1, 1]],
      [2, [0, 2, 1, 1]],
      [3, [0, 3, 1, 1]],
      [4, [0, 4, 1, 1]],
    ]);
  });

  it('are spread over the whole order where there are too many', () => {
    assert.deepEqual(
      [...preemptions(trace, 2)].map(({ event }) => event),
      [0, 3],
    );
  });
});

/** What a synchronous call touches stays together, wherever the order that is wanted cuts it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsOf, wholeCalls } from '../../../data/threads/calls.ts';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';

/** Thread, operation, entity and point of each event; the points 1 and 3 go on with the calls at 0 and 2. */
const EVENTS = [
  [0, Op.Read, 0, 0],
  [0, Op.Read, 1, 1],
  [1, Op.Read, 0, 2],
  [1, Op.Write, 1, 3],
  [1, Op.Write, 2, 3],
  [0, Op.Read, 0, 0],
  [0, Op.Write, 1, 1],
] as const;
const column = (at: number): number[] => EVENTS.map((event) => event[at]!);
const trace: ThreadTrace = {
  events: {
    length: EVENTS.length,
    thread: Uint16Array.from(column(0)),
    op: Uint8Array.from(column(1)),
    object: Int32Array.from(column(2)),
    point: Int32Array.from(column(3)),
  },
  names: {
    ...{ threads: ['a', 'b'], entities: ['fs:.', 'fs:x', 'fs:x (content)'] },
    ...{ points: ['a.js:1:1', 'a.js:1:1', 'b.js:1:1', 'b.js:1:1'] },
    ...{ locks: [], channels: [], transactions: [] },
  },
};

test('accesses of a call are known by their place, those of the next call at the same place apart', () => {
  assert.deepEqual([...callsOf(trace)], [0, 0, 2, 2, 2, 5, 5]);
});

test('a call is where the access is that the order is about, or else its first one', () => {
  // The second call of `a` is cut by that of `b`, which is cut by its end.
  const cut = [0, 1, 5, 2, 3, 6, 4];
  assert.deepEqual(wholeCalls(trace, cut, [1, 3, 6]), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(wholeCalls(trace, cut, []), [0, 1, 5, 6, 2, 3, 4]);
});

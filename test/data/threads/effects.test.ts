import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf, wholeEffects } from '../../../data/threads/effects.ts';
import { stepName } from '../../../data/threads/tasks.ts';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';

const CHANNELS = [
  stepName('E:root|fs.open#1', 'fs.open takes effect'),
  stepName('D:root|fs.open#1', 'it answers'),
];

/** Events as thread, operation, object. */
function trace(...rows: [number, number, number][]): ThreadTrace {
  const column = (at: number): number[] => rows.map((row) => row[at]!);
  const names = { threads: ['a', 'b'], entities: ['f', 'x'], locks: [], channels: CHANNELS, points: ['?'] };
  return {
    names: { ...names, transactions: [] },
    events: {
      length: rows.length,
      op: Uint8Array.from(column(1)),
      thread: Uint16Array.from(column(0)),
      object: Int32Array.from(column(2)),
      point: new Int32Array(rows.length),
    },
  };
}

const { Read, Send, Write } = Op;
const OPENED = trace([0, Send, 0], [0, Read, 0], [0, Write, 0], [1, Write, 1], [0, Send, 1], [0, Write, 1]);

test('what follows the step of an effect in its thread belongs to it, up to the next step', () => {
  assert.deepEqual([...effectsOf(OPENED)], [0, 0, 0, -1, -1, -1]);
});

test('an effect that touches nothing is a step like others', () => {
  assert.deepEqual([...effectsOf(trace([0, Send, 0], [0, Send, 1], [0, Read, 0]))], [-1, -1, -1]);
});

test('an order in which others come between has it whole, as late as the first of what it touches', () => {
  assert.deepEqual(wholeEffects(OPENED, [0, 3, 1, 2, 4]), [3, 0, 1, 2, 4]);
  assert.deepEqual(wholeEffects(OPENED, [0, 1, 3, 2, 4]), [0, 1, 2, 3, 4]);
  assert.deepEqual(wholeEffects(OPENED, [3, 0, 1]), [3, 0, 1], 'and where it ends within');
  assert.deepEqual(wholeEffects(OPENED, [3, 0]), [3, 0]);
});

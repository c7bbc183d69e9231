import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  betweenTurns,
  deliveryOf,
  EVERYTHING_ELSE,
  effectInTurn,
  effectOf,
  isDelivery,
  isNoEffect,
  isRelease,
  type LoopStep,
  loopStepOf,
  requestOf,
  type StepOp,
  spell,
  spellThread,
  threadStepOf,
} from '../../data/schedule-step.ts';

const OPS: readonly StepOp[] = ['effect', 'release', 'deliver'];

describe('a step of an event loop is spelt in one way', () => {
  const rows: [string, LoopStep | null][] = [
    ['E:fs.open#1', { op: 'effect', request: 'fs.open#1', inTurn: null }],
    ['X:fs.open#1', { op: 'release', request: 'fs.open#1', inTurn: null }],
    ['D:setTimeout#2', { op: 'deliver', request: 'setTimeout#2', inTurn: null }],
    ['3:fs.write#1', { op: 'effect', request: 'fs.write#1', inTurn: 3 }],
    ['12:fs.write#1', { op: 'effect', request: 'fs.write#1', inTurn: 12 }],
    ['3:', { op: 'effect', request: '', inTurn: 3 }],
    [EVERYTHING_ELSE, null],
    ['0:fs.write#1', null],
    ['Q:fs.write#1', null],
    ['alice 4', null],
    ['', null],
  ];
  for (const [text, step] of rows) test(text || '(empty)', () => assert.deepEqual(loopStepOf(text), step));

  test('whatever the request is called', () => {
    fc.assert(
      fc.property(fc.constantFrom(...OPS), fc.string(), (op, request) => {
        const text = spell(op, request);
        assert.deepEqual(loopStepOf(text), { op, request, inTurn: null });
        assert.equal(requestOf(text), request);
        assert.equal(isDelivery(text), op === 'deliver');
        assert.equal(isRelease(text), op === 'release');
        assert.equal(betweenTurns(text), text);
        assert.equal(isNoEffect(text), false);
      }),
    );
  });

  test('an effect within a turn is the same effect between turns', () => {
    assert.equal(betweenTurns(effectInTurn(2, 'fs.write#1')), effectOf('fs.write#1'));
    assert.equal(isNoEffect(effectInTurn(2, 'fs.write#1')), false);
    assert.equal(isNoEffect(effectInTurn(2, '')), true);
    assert.equal(isNoEffect(deliveryOf('')), false);
  });
});

test('a step of a schedule of threads reads as it was spelt', () => {
  const thread = fc.string({ minLength: 1 }).filter((name) => !name.includes(' takes '));
  fc.assert(
    fc.property(thread, fc.nat(), (name, count) => {
      assert.deepEqual(threadStepOf(spellThread({ thread: name, count })), { thread: name, count });
    }),
  );
  fc.assert(
    fc.property(thread, fc.constantFrom(...OPS, 3, 12), fc.string(), (name, op, request) => {
      const step = typeof op === 'number' ? effectInTurn(op, request) : spell(op, request);
      assert.deepEqual(threadStepOf(spellThread({ thread: name, step })), { thread: name, step });
    }),
  );
});

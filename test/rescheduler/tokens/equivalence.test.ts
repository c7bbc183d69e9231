import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import { classOf, spread } from '../../../rescheduler/tokens/equivalence.ts';

/** Steps as `A r x`. */
const order = (...steps: string[]): string =>
  classOf(
    readStd([
      steps
        .map((step) =>
          step.replace(/^(\S+) (\S+) (\S+)$/, (_, thread, op, of) => `${thread}|${op}(${of})|1\n`),
        )
        .join(''),
    ]),
  );

describe('orders that differ only in steps that commute', () => {
  it('are one: of different entities, and reads among reads', () => {
    assert.equal(order('A w x', 'B w y'), order('B w y', 'A w x'));
    assert.equal(order('A w x', 'A r x', 'B r x'), order('A w x', 'B r x', 'A r x'));
  });

  it('are several where a write changes places with what another thread does there', () => {
    assert.notEqual(order('A w x', 'B r x'), order('B r x', 'A w x'));
    const sections = [
      ['A acq l', 'A rel l'],
      ['B acq l', 'B rel l'],
    ];
    assert.notEqual(order(...sections.flat()), order(...sections.toReversed().flat()));
  });
});

describe('a list that is spread', () => {
  it('has all of its members, none beside its neighbour', () => {
    const list = Array.from({ length: 24 }, (_, at) => at);
    const far = spread(list);
    assert.deepEqual(
      [...far].sort((a, b) => a - b),
      list,
    );
    for (let i = 1; i < far.length; i++) assert.ok(Math.abs(far[i]! - far[i - 1]!) > 1);
    assert.deepEqual([spread([]), spread([1]), spread([1, 2]).length], [[], [1], 2]);
  });
});

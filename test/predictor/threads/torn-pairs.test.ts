import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import { tornOnlyBy, tornPairs } from '../../../predictor/threads/torn-pairs.ts';

const trace = (...events: string[]) => readStd([events.map((event) => `${event}\n`).join('')]);
const orders = (...events: string[]) => tornPairs(trace(...events)).map(({ schedule }) => [...schedule]);

const WRITES = ['a|w(pair[0])|1', 'a|w(pair[1])|2'];
const READS = ['b|r(pair[0])|3', 'b|r(pair[1])|4'];

describe('two elements that a thread comes to one behind the other', () => {
  it('are torn by one that comes to both: who writes stops in the middle, or who reads', () => {
    assert.deepEqual(orders(...WRITES, ...READS), [[0, 2, 3, 1]]);
    assert.deepEqual(orders(...READS, ...WRITES), [[0, 2, 3, 1]]);
  });

  it('are so in whichever order the other one comes to them', () => {
    assert.deepEqual(orders(...WRITES, ...READS.toReversed()), [[0, 2, 3, 1]]);
  });

  const NONE: Readonly<Record<string, string[]>> = {
    'elements of two arrays': ['a|w(pair[0])|1', 'a|w(other[1])|2', 'b|r(pair[0])|3', 'b|r(other[1])|4'],
    'one of which the other thread does not read': [...WRITES, 'b|r(pair[0])|3', 'b|r(pair[2])|4'],
    'that both only write': [...WRITES, 'b|w(pair[0])|3', 'b|w(pair[1])|4'],
    'between which the lock is given back': ['a|acq(l)|0', WRITES[0]!, 'a|rel(l)|5', WRITES[1]!, ...READS],
    'that one lock guards in both threads': [
      ...['a|acq(l)|0', ...WRITES, 'a|rel(l)|5'],
      ...['b|acq(l)|6', ...READS, 'b|rel(l)|7'],
    ],
  };
  for (const [what, events] of Object.entries(NONE))
    it(`not ${what}`, () => assert.deepEqual(orders(...events), []));

  it('are told by what a run shows and the natural one does not', () => {
    const torn = trace(WRITES[0]!, ...READS, WRITES[1]!);
    const natural = trace(...WRITES, ...READS);
    const told = tornOnlyBy(torn, natural).map(({ entity, other, pattern }) => [
      pattern,
      ...[entity, other.entity].map((index) => torn.names.entities[index]),
    ]);
    assert.deepEqual(told, [['WRW', 'pair[0]', 'pair[1]']]);
    assert.deepEqual(tornOnlyBy(natural, natural), []);
  });
});

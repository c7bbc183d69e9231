import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Swap } from '../../../data/prediction.ts';
import { deliveryOf } from '../../../data/schedule-step.ts';
import { Swapped } from '../../../rescheduler/investigate/swapped.ts';

const steps = (order: string): string[] => [...order].map(deliveryOf);

/** The number of runs after which a search is over; null: it goes on behind all of them. */
function runsUntilOver(pairs: readonly (readonly Swap[])[], natural: string, runs: readonly string[]) {
  const swapped = new Swapped(new Map(pairs.map((each, at) => [`pair ${at}`, each])), steps(natural));
  for (const [at, run] of runs.entries()) {
    swapped.look(steps(run));
    if (swapped.isOver) return at + 1;
  }
  return null;
}

describe('a search until steps have changed places', () => {
  const AB: Swap = ['a', 'b'];
  const CD: Swap = ['c', 'd'];
  const rows: Record<string, [(readonly Swap[])[], string, string[], number | null]> = {
    'is over when each two have, behind three runs': [[[AB], [CD]], 'abcd', ['bacd', 'abdc', 'abcd'], 3],
    'goes on while two have not': [[[AB], [CD]], 'abcd', ['bacd', 'abcd'], null],
    'is over where two runs bring no two for the first time': [
      [[AB], [CD]],
      'abcd',
      ['abcd', 'bacd', 'abcd', 'bacd', 'abcd'],
      4,
    ],
    'asks of several with the same code for one': [[[AB, CD]], 'abcd', ['abdc', 'abcd', 'abcd'], 3],
    'goes by the observed order, not by that of issue': [
      [[AB], [CD]],
      'bacd',
      ['bacd', 'badc', 'abcd', 'abcd'],
      3,
    ],
    'an answer that does not come any more is later': [[[AB]], 'ab', ['ab', 'ab', 'b'], 3],
    'has no place where the observed run did not come': [[[['a', 'x']]], 'ab', ['ab', 'ab', 'ab'], 3],
  };
  for (const [name, [pairs, natural, runs, over]] of Object.entries(rows))
    test(name, () => assert.equal(runsUntilOver(pairs, natural, runs), over));

  test('asks at first for none by name, then for those that have not', () => {
    const swapped = new Swapped(
      new Map([
        ['one', [AB]],
        ['other', [CD]],
      ]),
      steps('abcd'),
    );
    assert.deepEqual(swapped.wanted, []);
    swapped.look(steps('bacd'));
    assert.deepEqual(swapped.wanted, [['d', 'c']]);
  });

  test('another way to choose has its own two runs', () => {
    const swapped = new Swapped(new Map([['pair', [AB]]]), steps('ab'));
    for (let run = 0; run < 4; run++) swapped.look(steps('ab'));
    assert.ok(swapped.isOver);
    swapped.begin();
    assert.ok(!swapped.isOver);
  });
});

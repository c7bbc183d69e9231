/** A sample of the mutants: prediction confirms those that can fail, and is silent about the others. */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { WHOLE } from '../extent.ts';
import { corpus } from './corpus.ts';
import { type Fate, judge } from './judge.ts';
import { Workshop } from './workshop.ts';

/** One for each way to break a program, and to judge it. */
const SAMPLE: Readonly<Record<string, Fate>> = {
  'bank/ok 24 unlock': 'confirmed',
  'bank/ok 25 later': 'harmless',
  'optimistic-document/ok 38 earlier': 'confirmed',
  'shared-history/ok 21 later': 'red',
  'thermostat/ok 24 unchain (2)': 'confirmed',
};
const MORE: typeof SAMPLE = {
  'batch-flush/ok 34 later': 'confirmed',
  'circle/ok 55 unlock': 'confirmed',
  'half-locked/ok 34 unlock': 'confirmed',
  'pool-borrow-close/ok pool-repaired:10 unlock': 'confirmed',
  'session-status/ok 38 earlier': 'confirmed',
};

const mutants = await corpus();
const workshop = new Workshop();
after(() => workshop.close());

describe('mutants of the catalogue', () => {
  it('are at least sixty, each named once', () => {
    assert.ok(mutants.length >= 60, `${mutants.length}`);
    assert.equal(new Set(mutants.map(({ id }) => id)).size, mutants.length);
  });

  for (const [id, fate] of Object.entries(WHOLE ? { ...SAMPLE, ...MORE } : SAMPLE))
    it(`${id}: ${fate}`, async () => {
      const mutant = mutants.find((one) => one.id === id);
      assert.ok(mutant, 'no such mutant');
      const subject = await workshop.subject(mutant);
      try {
        const judgement = await judge(subject);
        assert.equal(judgement.fate, fate, judgement.why);
        // What is confirmed by prediction is met by enumeration as well.
        assert.equal(judgement.enumerated, fate === 'confirmed');
      } finally {
        await subject.close();
      }
    });
});

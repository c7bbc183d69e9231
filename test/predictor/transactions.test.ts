import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activation } from '../../data/trace.ts';
import { transactions } from '../../predictor/transactions.ts';

/** root > outer > inner > two leaves, with the user's word on outer and inner. */
function common(outer: boolean | null, inner: boolean | null): number {
  const make = (id: number, parent: number, atomic: boolean | null): Activation => ({
    ...{ id, parent, atomic, kind: id === 0 ? 'root' : 'async', joined: false, cause: -1 },
    ...{ path: String(id), name: String(id), site: -1 },
  });
  const rows = [make(0, -1, null), make(1, 0, outer), make(2, 1, inner), make(3, 2, null), make(4, 2, null)];
  return transactions(rows).common(3, 4);
}

test('the innermost common activation is the transaction', () => assert.equal(common(null, null), 2));
test('called not atomic, it is none, nor is what merely calls it', () =>
  assert.equal(common(null, false), -1));
test('called not atomic inside of one that is called atomic: the outer one is', () =>
  assert.equal(common(true, false), 1));
test('atomic around one that nothing was said of changes nothing', () => assert.equal(common(true, null), 2));

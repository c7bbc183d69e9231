/** Who the tasks of a test are when a call wraps them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activation, ActivationKind } from '../../data/trace.ts';
import { transactions, trunkOf } from '../../predictor/transactions.ts';

type Row = readonly [parent: number, kind: ActivationKind, joined?: boolean];

/** A root and these activations, numbered from 1. */
const tree = (...rows: readonly Row[]): Activation[] =>
  ([[-1, 'root'], ...rows] as Row[]).map(([parent, kind, joined = false], id) => ({
    ...{ id, parent, kind, joined, cause: -1, path: String(id), name: String(id), site: -1, atomic: null },
  }));

const WRAPPED = tree([0, 'async', true], [1, 'async', true], [2, 'async'], [2, 'callback'], [4, 'async']);

test('what awaited calls start within a wrapper are the tasks', () => {
  assert.deepEqual([...trunkOf(WRAPPED)], [0, 1, 2]);
  const tx = transactions(WRAPPED);
  assert.deepEqual(
    WRAPPED.map(({ id }) => tx.taskOf(id)),
    [0, 0, 0, 3, 4, 4],
  );
});

test('a wrapper that the test returns is one, too', () =>
  assert.deepEqual([...trunkOf(tree([0, 'async'], [1, 'async'], [1, 'async']))], [0, 1]));

test('a call beside which another one runs wraps nothing', () =>
  assert.deepEqual([...trunkOf(tree([0, 'async'], [0, 'async', true], [2, 'async'], [2, 'async']))], [0]));

test('calls that are awaited one after the other do not turn into the body of the test', () =>
  assert.deepEqual([...trunkOf(tree([0, 'async', true], [0, 'async', true], [1, 'async', true]))], [0]));

test('a strand is what nobody awaits in place', () => {
  const tx = transactions(tree([0, 'async'], [1, 'async', true], [1, 'async'], [0, 'async', true]));
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((id) => tx.strandOf(id)),
    [0, 1, 1, 3, 0],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEAST_SHARE_MS, mostPromisingFirst, Shares } from '../../cli/stages/shares.ts';

const minutes = (n: number): number => n * 60_000;

test('without a time for everything each test has its own time at once', () => {
  const shares = new Shares({ maxTimeMs: minutes(1), jobs: 2 });
  shares.begin(100);
  assert.deepEqual(shares.take('a', Number.POSITIVE_INFINITY), { ms: minutes(1), isPart: false });
});

test('the time left is shared by those that wait, in so many processes', () => {
  const shares = new Shares({ maxTimeMs: minutes(1), totalTimeMs: minutes(5), jobs: 2 });
  shares.begin(20);
  assert.deepEqual(shares.take('a', minutes(5)), { ms: minutes(0.5), isPart: true });
  // What the first one left goes to the others.
  const { ms } = shares.take('b', minutes(5));
  assert.ok(ms > minutes(0.5));
});

test('a test never gets more than its own time, in one round or in several', () => {
  const shares = new Shares({ maxTimeMs: minutes(1), totalTimeMs: minutes(5), jobs: 1 });
  shares.begin(10);
  const first = shares.take('a', minutes(5));
  assert.deepEqual(first, { ms: minutes(0.5), isPart: true });
  shares.used('a', first.ms);
  assert.ok(shares.hasRest('a', minutes(4)));
  shares.begin(1);
  const second = shares.take('a', minutes(4));
  assert.deepEqual(second, { ms: minutes(0.5), isPart: false });
  shares.used('a', second.ms);
  assert.equal(shares.hasRest('a', minutes(3)), false);
});

test('a test of which a part says nothing gets all that is left, and the next one what it leaves', () => {
  const shares = new Shares({ maxTimeMs: minutes(1), totalTimeMs: minutes(1), jobs: 1 });
  shares.begin(100);
  assert.deepEqual(shares.take('a', 30_000, true), { ms: 30_000, isPart: false });
  assert.deepEqual(shares.take('b', minutes(5), true), { ms: minutes(1), isPart: false });
});

test('a share is never too short to begin with, and longer in each round', () => {
  const shares = new Shares({ maxTimeMs: minutes(1), totalTimeMs: minutes(1), jobs: 1 });
  shares.begin(1000);
  assert.equal(shares.take('a', 10_000).ms, LEAST_SHARE_MS);
  shares.begin(1000);
  assert.equal(shares.take('a', 10_000).ms, 2 * LEAST_SHARE_MS);
  assert.equal(shares.take('a', 500).ms, 500);
  assert.equal(shares.hasRest('a', 500), false);
});

test('where a test could not even begin in its share, the next ones get longer ones', () => {
  const shares = new Shares({ maxTimeMs: minutes(1), totalTimeMs: minutes(1), jobs: 2 });
  shares.begin(1000);
  const { ms } = shares.take('a', 10_000);
  // Two of them at the same time say no more than one.
  shares.tooShort(ms);
  shares.tooShort(ms);
  assert.equal(shares.take('b', 10_000).ms, 2 * ms);
  assert.equal(shares.take('c', 500).ms, 500);
});

test('what promises most comes first; the rest keeps its order', () => {
  const promises: Record<string, number> = { a: 1, b: 5, c: 1, d: 7 };
  assert.deepEqual(
    mostPromisingFirst(['a', 'b', 'c', 'd'], (test) => promises[test]!),
    ['d', 'b', 'a', 'c'],
  );
});

/** What is handed to two calls, and what is handed out again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copied, givenAgain, kept, parts } from '../../../rescheduler/calls/copies.ts';

test('plain data is copied, with all that holds it together', () => {
  const shared = { n: 1 };
  const given = [{ a: shared, b: [shared, new Date(5), new Map([['k', Buffer.from('x')]]), undefined] }];
  const [copy] = copied(given) as typeof given;
  assert.deepEqual(copy, given[0]);
  assert.notEqual(copy, given[0]);
  assert.equal(copy!.a, copy!.b[0]);
  assert.ok(parts([copy]).objects.isDisjointFrom(parts(given).objects));
});

test('functions stay what they are', () => {
  const fn = (): void => {};
  assert.deepEqual(copied([fn]), [fn]);
});

test('what has an identity is not copied', () => {
  assert.equal(copied([new (class Account {})()]), null);
  assert.equal(copied([new AbortController().signal]), null);
});

test('what a call gave is given again, if it is plain', () => {
  for (const value of [undefined, null, 'x', { a: [1, new Date(0)] }, Buffer.from('y')])
    assert.deepEqual(givenAgain(kept(value)!), value);
  assert.equal(kept({ close: () => {} }), null);
  assert.equal(kept(new (class Account {})()), null);
});

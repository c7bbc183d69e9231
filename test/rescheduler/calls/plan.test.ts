/** Which calls of a test overlap. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestCall } from '../../../data/test-call.ts';
import { plannedCalls } from '../../../rescheduler/calls/plan.ts';

/** `store.set("a", 1)`, on the object that its first word names. */
function call(text: string, more: Partial<TestCall> = {}): TestCall {
  const [, operation = '', args = ''] = /^([\w.]+)\((.*)\)$/.exec(text)!;
  return {
    ...{ place: { site: text, nth: 0 }, object: operation.split('.')[0]!, operation, text },
    key: args === '' ? null : args.split(',')[0]!,
    ...{ ended: 'value', gave: '', needs: [], shares: [], isCopied: true, overlaps: false },
    ...more,
  };
}

const planned = (...calls: readonly (string | TestCall)[]) =>
  plannedCalls(calls.map((each) => (typeof each === 'string' ? call(each) : each)));
const together = (...calls: readonly (string | TestCall)[]): string[] =>
  planned(...calls).flatMap(({ name }) => (name.includes('∥') ? [name] : []));

describe('calls that overlap:', () => {
  const rows: [what: string, given: (string | TestCall)[], wanted: string[]][] = [
    ['one that changes something, with itself', ['s.set("a")'], ['s.set("a") ∥ s.set("a")']],
    ['none that only read', ['s.get("a")', 's.has("b")'], []],
    [
      'one that reads, with one that does more',
      ['s.get("a")', 's.set("a")'],
      ['s.set("a") ∥ s.set("a")', 's.get("a") ∥ s.set("a")'],
    ],
    ['what reads or changes changes', ['s.getOrSet("a")'], ['s.getOrSet("a") ∥ s.getOrSet("a")']],
    [
      'none on different objects',
      ['s.set("a")', 't.set("a")'],
      ['s.set("a") ∥ s.set("a")', 't.set("a") ∥ t.set("a")'],
    ],
    ['none that opens or closes', ['s.init()', 's.set("a")', 's.close()'], ['s.set("a") ∥ s.set("a")']],
    ['what destroys one thing of many', ['s.destroy("a")'], ['s.destroy("a") ∥ s.destroy("a")']],
    [
      'none that needs what the other gives',
      ['s.add("a")', call('s.use("b")', { needs: [0], isCopied: false })],
      ['s.add("a") ∥ s.add("a")'],
    ],
    [
      'none that are handed one thing that is not copied',
      [call('s.pipe("a")', { isCopied: false }), call('s.drop("b")', { isCopied: false, shares: [0] })],
      [],
    ],
    [
      'none whose result cannot be given again',
      [call('s.add("a")', { gave: null }), 's.set("b")'],
      ['s.add("a") ∥ s.add("a")', 's.set("b") ∥ s.set("b")'],
    ],
    [
      'none that overlapped before, or did not end',
      [call('s.set("a")', { overlaps: true }), call('s.set("b")', { ended: null })],
      [],
    ],
  ];
  for (const [what, given, wanted] of rows) test(what, () => assert.deepEqual(together(...given), wanted));

  test('each begins in every way that a caller can produce', () => {
    const names = planned('s.get("a")', 's.set("b")').map(({ name }) => name);
    assert.ok(names.includes('s.get("a"), 1 ms later s.set("b")'));
    assert.ok(names.includes('s.set("b"), 1 ms later s.get("a")'));
  });

  test('not with those that lie far behind', () => {
    const all = together('s.a()', 's.b()', 's.c()', 's.d()', 's.e()');
    assert.ok(all.includes('s.a() ∥ s.d()'));
    assert.ok(!all.includes('s.a() ∥ s.e()'));
  });
});

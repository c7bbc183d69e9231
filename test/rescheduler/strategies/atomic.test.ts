import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AtomicStrategy, type Span } from '../../../rescheduler/strategies/atomic.ts';
import { ObservedStrategy } from '../../../rescheduler/strategies/observed.ts';
import type { ReadyStep } from '../../../rescheduler/strategies/strategy.ts';
import { QUIET } from './support.ts';

function ready(name: string, order = 0): ReadyStep {
  return {
    name,
    order,
    step: { kind: 'deliver', pause: 0 },
    request: { name: name.slice(2) },
  } as unknown as ReadyStep;
}

/** A span that is open while `task` is set; it owns the requests whose name begins with it. */
function span(task: string | null): Span & { task: string | null; lent: boolean } {
  return {
    task,
    lent: false,
    get open() {
      return this.task !== null;
    },
    owns({ name }) {
      return this.task !== null && name.startsWith(this.task);
    },
    surrounds: () => false,
    awaits(pending) {
      return this.task !== null && pending.has(`${this.task}2`);
    },
    lend() {
      this.lent = true;
    },
    giveUp() {
      this.task = null;
    },
  };
}

test('outside of a span it follows the order', () => {
  const strategy = new AtomicStrategy(['D:b1', 'D:a1'], span(null), new ObservedStrategy());
  const picks = [
    strategy.choose([ready('D:a1'), ready('D:b1')], QUIET),
    strategy.choose([ready('D:a1'), ready('D:c1')], QUIET),
  ];
  assert.deepEqual(
    picks.map((p) => 'name' in p && p.name),
    ['D:b1', 'D:a1'],
  );
});

test('inside of a span only its task goes on, whatever the order says', () => {
  const strategy = new AtomicStrategy(['D:b1', 'D:a1'], span('a'), new ObservedStrategy());
  const pick = strategy.choose([ready('D:a1'), ready('D:b1')], QUIET);
  assert.equal('name' in pick && pick.name, 'D:a1');
});

test('a span whose task waits for another one is given up', () => {
  const open = span('a');
  const strategy = new AtomicStrategy(['D:b1', 'D:a1'], open, new ObservedStrategy());
  const pick = strategy.choose([ready('D:b1')], QUIET);
  assert.equal('name' in pick && pick.name, 'D:b1');
  assert.equal(open.open, false);
});

test('a span whose task waits for a thread stays open, and others make room without being told of anything', () => {
  const open = span('a');
  const strategy = new AtomicStrategy(['D:b1', 'E:b2'], open, new ObservedStrategy());
  const view = { ...QUIET, pendingNames: () => new Set(['a2', 'b1', 'b2']) };
  const pick = strategy.choose([ready('D:b1'), ready('E:b2')], view);
  assert.equal('name' in pick && pick.name, 'E:b2');
  assert.deepEqual([open.open, open.lent], [true, true]);
});

/** What is late in an order is late in a program that was changed, until what overtook it has come or cannot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldSteps } from '../../../cli/stages/held-steps.ts';
import { requestOf } from '../../../data/schedule-step.ts';
import type { Request } from '../../../data/trace.ts';
import { HeldStrategy } from '../../../rescheduler/strategies/held.ts';
import type { ReadyStep, Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { QUIET } from './support.ts';

const NATURAL = ['root.a#0|fs.open#1', 'root.b#0|fs.open#1', 'root.a#0|fs.open#2', 'root.b#0|fs.close#1'];
const requests = NATURAL.map((name, id) => ({ id, name }) as Request);
const deliver = (names: readonly string[]): string[] => names.map((name) => `D:${name}`);
const [a1, b1, a2, b2] = deliver(NATURAL) as [string, string, string, string];
const of = (failing: readonly string[]) => heldSteps({ requests, steps: deliver(NATURAL) }, failing);

test('of two orders, what is late and until when', () => {
  const step = { within: 'root.a#0', api: 'fs.open', nth: 1, op: 'D:' };
  const until = { within: 'root.b#0', api: 'fs.close', nth: 0, op: 'D:' };
  assert.deepEqual(of([a1, b1, b2, a2]), [{ step, until }]);
  assert.deepEqual(of([a1, b1, 'D:root.c#0|fs.stat#1', b2, a2]), [{ step, until }], 'others are left out');
  assert.deepEqual(of([a1, b1, a2, b2]), []);
  assert.deepEqual(of([]), []);
  assert.deepEqual(of([a1, b1, b2]), [{ step, until }], 'it fails before it comes to what is late');
});

test('what the test itself waits for is apart from its tasks, and what follows from an answer from that', () => {
  const names = [
    'root|fs.open#1',
    'root|fs.open#1!|fs.fstat#1',
    'root.bob|setTimeout#1',
    'root.bob.f#0|fs.open#1',
  ];
  const own = { requests: names.map((name, id) => ({ id, name }) as Request), steps: deliver(names) };
  const [open, stat, timer, other] = own.steps as [string, string, string, string];
  assert.deepEqual(heldSteps(own, [open, timer, stat, other]), [
    {
      step: { within: 'root|fs.open#1!', api: 'fs.fstat', nth: 0, op: 'D:' },
      until: { within: 'root.bob', api: 'setTimeout', nth: 0, op: 'D:' },
    },
  ]);
  assert.deepEqual(heldSteps(own, [stat, open, timer, other]), [], 'of one task');
});

/** The order in which these requests are answered, the first one first where nothing is held. */
function answered(
  strategy: HeldStrategy,
  names: readonly string[],
  behind: Readonly<Record<string, string>> = {},
) {
  const ready = [...names];
  const taken: string[] = [];
  while (ready.length > 0) {
    const enabled = ready.filter((name) => !behind[name] || taken.includes(behind[name]));
    const steps = enabled.map((name) => ({ name: `D:${name}` }) as ReadyStep);
    const view = { ...QUIET, pendingNames: () => new Set(ready) };
    const name = requestOf((strategy.choose(steps, view) as ReadyStep).name);
    taken.push(name);
    ready.splice(ready.indexOf(name), 1);
  }
  return taken;
}

const first: Strategy = { choose: (enabled) => enabled[0]! };
const strategy = () => new HeldStrategy(of([a1, b1, b2, a2]), first);
/** The same requests, asked for by other functions. */
const OTHERS = [
  'root.a#0.inner#0|fs.open#1',
  'root.b#0|fs.open#1',
  'root.a#0|fs.open#1',
  'root.b#0.lock#0|fs.close#1',
];

test('it is late in the program that it was made of, and in one with other functions', () => {
  for (const names of [NATURAL, OTHERS]) {
    const held = strategy();
    const [x, y, late, until] = names as [string, string, string, string];
    assert.deepEqual(answered(held, names), [x, y, until, late]);
    assert.ok(held.complete);
  }
});

test('where what overtook it waits for it, as for a lock, it comes', () => {
  const held = strategy();
  const [x, y, late, until] = OTHERS as [string, string, string, string];
  assert.deepEqual(answered(held, OTHERS, { [until]: late }), [x, y, late, until]);
  assert.ok(held.complete);
});

test('a program that does not come to what was late is another one', () => {
  const held = strategy();
  assert.deepEqual(answered(held, ['root.a#0|fs.open#1', 'root.b#0|fs.close#1']).length, 2);
  assert.equal(held.complete, false);
});

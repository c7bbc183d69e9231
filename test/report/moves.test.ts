import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findMoves, trains } from '../../report/moves.ts';
import type { StepRow } from '../../report/view.ts';

const step = (what: string, kind: StepRow['kind'] = 'deliver', task = 't'): StepRow => ({
  task,
  what,
  site: null,
  kind,
});
const steps = (names: string) => [...names].map((name) => step(name));
const told = (natural: string, failing: string) =>
  findMoves(steps(natural), steps(failing)).map(
    ({ step, now, anchor }) => `${step.what} ${now} ${anchor.what}`,
  );

test('the fewest steps are moved, and each names what it changed places with', () => {
  assert.deepEqual(told('abcd', 'abcd'), []);
  assert.deepEqual(told('abcd', 'bcda'), ['a after d']);
  assert.deepEqual(told('abcd', 'dabc'), ['d before a']);
  // Two neighbours: the late one is told, because lateness is what the host can do.
  assert.deepEqual(told('ab', 'ba'), ['a after b']);
  assert.deepEqual(told('abcdef', 'bafecd'), ['a after b', 'f before c', 'e before c']);
});

test('a timer that naturally does not go off is a cause where nothing before it is other than naturally', () => {
  const lease = 'setTimeout 40 ms fires';
  const told = (failing: string) =>
    findMoves(
      steps('abcd'),
      [...failing].map((what) => step(what === 't' ? lease : what)),
    ).map(({ step: { what }, now, anchor, isNew }) => `${what} ${now} ${anchor.what}${isNew ? ', new' : ''}`);
  assert.deepEqual(told('atcbd'), [`${lease} before b, new`, 'b after c']);
  assert.deepEqual(told('acbtd'), ['b after c']);
  assert.deepEqual(told('axctbd'), ['b after c']);
});

test('equal steps are told apart by their ordinal', () => {
  assert.deepEqual(told('aab', 'aab'), []);
  assert.deepEqual(told('aab', 'aba'), ['a after b']);
});

test('a step is known by its name, whatever its task and its port are called in the other run', () => {
  const named = (name: string, what: string, task: string): StepRow => ({
    ...step(what, 'effect', task),
    name,
  });
  const natural = [named('E:a', 'net.connect port 44051', 'Slots.run'), named('D:t', 'setTimeout', 't')];
  const failing = [named('D:t', 'setTimeout', 't'), named('E:a', 'net.connect port 45753', 'test')];
  assert.deepEqual(
    findMoves(natural, failing).map(({ step, now, anchor }) => `${step.what} ${now} ${anchor.what}`),
    ['net.connect port 45753 after setTimeout'],
  );
  // Another connection brought it: no name is that of the other run.
  const again = [named('D:t', 'setTimeout', 't'), named('E:b', 'net.connect port 44051', 'Slots.run')];
  assert.deepEqual(
    findMoves(natural, again).map(({ step, now, isNew }) => [step.what, now, isNew]),
    [['net.connect port 44051', 'after', undefined]],
  );
});

test('steps of one order only are consequences and are left out, but for the first where nothing moved', () => {
  assert.deepEqual(told('abx', 'ybaz'), ['a after b']);
  assert.deepEqual(told('abx', 'abyz'), ['y before x']);
  assert.deepEqual(told('abx', 'abyxz'), ['y before x']);
  assert.deepEqual(told('ab', 'aby'), []);
});

test('where nothing moved, steps that the failing order did not wait for came too late', () => {
  assert.deepEqual(told('abcd', 'c'), ['a after c', 'b after c']);
  assert.deepEqual(told('abcd', 'ba'), ['a after b']);
});

test('host steps cause moves; accesses are told only when nothing else moved', () => {
  const [read, write] = [step('read', 'access'), step('write', 'access')];
  const [a, b] = [step('a'), step('b')];
  const both = findMoves([a, read, b, write], [b, write, a, read]);
  assert.deepEqual(
    both.map((move) => move.step.what),
    ['a'],
  );
  const alone = findMoves([read, write], [write, read]);
  assert.deepEqual(
    alone.map((move) => move.step.what),
    ['read'],
  );
});

test('putting the moved steps back gives the natural order', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...'abcdefghij'], { minLength: 10 }), (shuffled) => {
      const natural = steps('abcdefghij');
      const failing = steps(shuffled.join(''));
      const moves = findMoves(natural, failing);
      const moved = new Set(moves.map((move) => move.step.what));
      const rest = shuffled.filter((name) => !moved.has(name));
      assert.deepEqual(rest, [...rest].sort());
      for (const {
        step: { what },
        now,
        anchor,
      } of moves) {
        assert.ok(!moved.has(anchor.what));
        assert.equal(shuffled.indexOf(what) > shuffled.indexOf(anchor.what), now === 'after');
        assert.equal(what < anchor.what, now === 'after');
      }
    }),
  );
});

test('steps of one task that are moved alike make a train', () => {
  const of = (names: string, task: string) => [...names].map((name) => step(name, 'deliver', task));
  const [late, other, third] = [of('abc', 'late'), of('uvwxyz', 'other'), of('m', 'third')];
  const moves = findMoves([...late, ...third, ...other], [...other, ...late, ...third]);
  assert.deepEqual(
    trains(moves).map((train) => train.map((move) => move.step.what).join('')),
    ['abc', 'm'],
  );
});

/**
 * Traces on which a plausible rule of prediction goes wrong: the paper's wording read literally, clocks for
 * fork and join, saturation without branching. Each names the rule; what it costs was counted over random
 * traces when the rule was dropped.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import { conflictOf, LockStates } from '../../../predictor/threads/lock-states.ts';
import { newTally, predictAll } from '../../../predictor/threads/predict-all.ts';
import { skeletonOf } from '../../../predictor/threads/skeleton.ts';
import { truth } from './oracle.ts';

/** `A acq l` for each event, comma separated; bare `A begin` too. */
const std = (text: string): string =>
  text
    .split(',')
    .map((event, at) => {
      const [thread, op, operand = '0'] = event.trim().split(/\s+/);
      return `${thread}|${op}(${operand})|${at + 1}\n`;
    })
    .join('');

/** What is predicted: `pattern first-remote-second` by line, `…` where the second access cannot follow. */
function predict(text: string): string[] {
  const trace = readStd([std(text)]);
  const found = [...predictAll(trace, newTally())];
  const wanted = truth(trace).map(({ first, remote, second, completes }) => [
    first,
    remote,
    second,
    completes,
  ]);
  assert.deepEqual(
    found.map(({ first, remote, second, completes }) => [first, remote, second, completes]),
    wanted,
  );
  return found.map(
    ({ pattern, first, remote, second, completes }) =>
      `${pattern} ${first + 1}-${remote + 1}-${second + 1}${completes ? '' : '…'}`,
  );
}

const schedule = (text: string): string =>
  [...predictAll(readStd([std(text)]), newTally())]
    .map((f) => Array.from(f.schedule, (e) => e + 1).join(' '))
    .join('; ');

describe('the cut point', () => {
  test('may be e1 itself: nothing lies between the two accesses', () => {
    assert.deepEqual(predict('A begin, A w x, A w x, A end, B r x'), ['WRW 2-5-3']);
  });
  test('may be a release between them, though both accesses are locked', () => {
    const text = 'A begin, A acq l, A r x, A rel l, A acq l, A w x, A rel l, A end, B acq l, B w x, B rel l';
    assert.deepEqual(predict(text), ['RWW 3-10-6']);
  });
  test('every access pairs with the next read and the next write: R … R … W keeps (first R, W)', () => {
    const text = 'A begin, A r x, A r x, A w x, A end, B w x';
    assert.deepEqual(predict(text), ['RWR 2-6-3', 'RWW 2-6-4', 'RWW 3-6-4']);
  });
  test('one witness per entity is not enough: the remote access is free at its second place only', () => {
    const text = 'A acq l, A begin, A r x, A r x, A end, A rel l, B acq l, B w x, B rel l, B w x';
    assert.deepEqual(predict(text), ['RWR 3-10-4']);
  });
});

describe('the remote access', () => {
  test('comes after e1 although it was observed before: any order that reaches both is not enough', () => {
    const text = 'B w x, A begin, A r x, A w x, A end';
    assert.deepEqual(predict(text), ['RWW 3-1-4']);
    assert.equal(schedule(text), '2 3 1 4');
  });
});

describe('locks', () => {
  test('crossed acquisition histories exclude', () => {
    const text =
      'A acq a, A acq b, A rel b, A begin, A r x, A r x, A end, A rel a, B acq b, B acq a, B rel a, B w x, B rel b';
    assert.deepEqual(predict(text), []);
  });
  test('not nested: no histories cross, and the cut is still not reachable', () => {
    // A took k while it held l, so B, which holds l now, took it later and cannot have had k since.
    const text =
      'A acq l, A acq k, A rel l, A begin, A w x, A w x, A end, A rel k, B acq l, B acq k, B rel k, B r x, B rel l';
    const skeleton = skeletonOf(readStd([std(text)]));
    const states = new LockStates(skeleton);
    const [first, remote] = [4, 11];
    assert.equal(
      conflictOf(states.at(0, skeleton.interval[first]!), states.at(1, skeleton.interval[remote]!)),
      null,
    );
    assert.deepEqual(predict(text), []);
  });
  test('inner re-entrant pairs change nothing: the release that counts is the outermost', () => {
    const text = 'A begin, A acq l, A r x, A acq l, A rel l, A r x, A rel l, A end, B acq l, B w x, B rel l';
    assert.deepEqual(predict(text), []);
  });
  test('two readers share a lock, a writer does not', () => {
    const read = 'A begin, A racq l, A w x, A w x, A rrel l, A end, B racq l, B r x, B rrel l';
    assert.deepEqual(predict(read), ['WRW 3-8-4']);
    assert.deepEqual(predict(read.replace('B racq', 'B acq').replace('B rrel', 'B rel')), []);
  });
  test('held to the end of the trace: the others come before, or not at all', () => {
    const text = 'B acq l, B w x, B rel l, A begin, A r x, A acq l, A r x';
    assert.deepEqual(predict(text), ['RWR 5-2-7']);
    assert.deepEqual(predict('A begin, A acq l, A r x, A r x, B w x, B begin, A end'), ['RWR 3-5-4']);
    assert.deepEqual(predict('B acq l, B w x, B rel l, A begin, A acq l, A r x, A r x'), []);
  });
  test('the second access may never follow: both threads wait for each other', () => {
    const text =
      'A acq k, A begin, A w x, A acq l, A w x, A rel l, A end, A rel k, B acq l, B r x, B acq k, B rel k, B rel l';
    assert.deepEqual(predict(text), ['WRW 3-10-5…']);
  });
  test('a third thread goes on to release what it holds, and no further', () => {
    const text =
      'C acq l, C send m, C rel l, C w y, B recv m, B acq l, B w x, B rel l, A begin, A r x, A r x, A end';
    assert.deepEqual(predict(text), ['RWR 10-7-11']);
    assert.equal(schedule(text), '1 2 3 5 6 9 10 7 11');
  });
});

describe('fork and join', () => {
  test('the fork lies between the two accesses: the child is concurrent with the transaction', () => {
    assert.deepEqual(predict('A begin, A w x, A fork B, A w x, A end, B r x'), ['WRW 2-6-4']);
  });
  test('a join between them keeps the child before the second access', () => {
    assert.deepEqual(predict('A fork B, A begin, A r x, B w x, A join B, A r x, A end'), ['RWR 3-4-6']);
    assert.deepEqual(predict('A fork B, B w x, A join B, A begin, A r x, A r x, A end'), []);
  });
  test('a lock that the parent holds from fork to join keeps third threads away from the child', () => {
    const text =
      'A acq l, A fork B, B w x, A join B, A rel l, C acq l, C begin, C r x, C r x, C end, C rel l';
    assert.deepEqual(predict(text), []);
  });
  test('a child without events is forked before it is joined', () => {
    assert.deepEqual(predict('A begin, A r x, A fork B, C join B, C w x, A r x, A end'), ['RWR 2-5-6']);
    assert.deepEqual(predict('A fork B, A begin, A r x, A r x, A end, C join B, C w x').length, 1);
    assert.deepEqual(predict('A begin, A r x, A r x, A end, A fork B, C join B, C w x'), []);
  });
});

/** Seven threads and messages: saturation finds no contradiction, and yet no order exists. */
const SEVEN = `
  O acq o, O send O, O begin, O w x, O w x, O rel o, A2 acq a, A2 send A2, A2 recv O, A2 rel a, A2 send zA2,
  A1 acq a, A1 send A1, B1 acq b, B1 send B1, A1 recv B1, B1 recv A2, B1 rel b, B1 send zB1, B2 acq b,
  B2 send B2, A1 recv B2, A1 rel a, A1 send zA1, B2 recv A2, B2 rel b, B2 send zB2, C1 acq c, C1 acq o,
  C1 rel o, C1 recv A1, C1 rel c, C1 send C1, C2 acq c, C2 acq o, C2 rel o, C2 recv A1, C2 rel c, C2 recv C1,
  C2 recv zA1, C2 recv zA2, C2 recv zB1, C2 recv zB2, C2 w x`;

describe('messages', () => {
  test('a receive needs its send', () => {
    assert.deepEqual(predict('A begin, A r x, A send m, A r x, B recv m, B w x'), ['RWR 2-6-4']);
    assert.deepEqual(predict('A begin, A r x, A r x, A send m, B recv m, B w x'), []);
  });
  test('saturation finds nothing wrong, branching does', () => {
    assert.deepEqual(predict(SEVEN), []);
  });
  test('an exhausted budget is undecided, not unreachable', () => {
    const tally = newTally();
    assert.deepEqual([...predictAll(readStd([std(SEVEN)]), tally, 1)], []);
    assert.deepEqual(tally, { triples: 1, reachable: 0, completing: 0, undecided: 1, unscheduled: 0 });
  });
  test('a barrier keeps its rounds apart', () => {
    const text = 'A begin, A r x, A arrive b, B arrive b, A leave b, A r x, B leave b, B w x';
    assert.deepEqual(predict(text), ['RWR 2-8-6']);
    assert.deepEqual(
      predict('A begin, A r x, A r x, A arrive b, B arrive b, A leave b, B leave b, B w x'),
      [],
    );
  });
});

describe('transactions', () => {
  test('an inner begin and end belongs to the outer transaction', () => {
    assert.deepEqual(predict('A begin, A r x, A begin, A r x, A end, A end, B w x'), ['RWR 2-7-4']);
    assert.deepEqual(predict('A begin, A r x, A end, A begin, A r x, A end, B w x'), []);
  });
  test('one that is left open lasts to the end; accesses outside pair with nothing', () => {
    assert.deepEqual(predict('A begin, A r x, A r x, B w x'), ['RWR 2-4-3']);
    assert.deepEqual(predict('A r x, A r x, B w x'), []);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { swaps } from '../../predictor/swaps.ts';
import { TraceBuilder } from './trace-builder.ts';

const STALL_MS = 1000;
const A = 'root.alice|fs.stat#1';
const B = 'root.bob|fs.read#2';

/** Two tasks, each with an answer that either may get first. */
function twoAnswers(alice: (b: TraceBuilder) => void, bob: (b: TraceBuilder) => void): TraceBuilder {
  const b = new TraceBuilder();
  const [one, other] = [b.activation('alice'), b.activation('bob')];
  b.begin(one);
  const first = b.issue('pool', A);
  b.begin(other);
  const second = b.issue('pool', B);
  b.effect(first);
  b.effect(second);
  b.begin(one, b.deliver(first));
  alice(b);
  b.begin(other, b.deliver(second));
  bob(b);
  return b;
}

const pairsOf = (b: TraceBuilder): string[] | null => {
  const found = swaps(b.build(), STALL_MS);
  return found && [...found.keys()];
};
const nothing = (): void => {};
const PAIR = 'root.alice|fs.stat\nroot.bob|fs.read';

describe('steps that may change places where nothing depends on it', () => {
  test('are told by what was asked for, whoever asks how often', () => {
    assert.deepEqual(pairsOf(twoAnswers(nothing, nothing)), [PAIR]);
  });

  test('where both are of code that was seen, are told by its places as well', () => {
    const own = pairsOf(
      twoAnswers(
        (b) => b.write('x'),
        (b) => b.write('y'),
      ),
    );
    const elsewhere = (b: TraceBuilder): void => {
      b.file = 'b.ts';
      b.write('y');
    };
    const other = pairsOf(twoAnswers((b) => b.write('x'), elsewhere));
    assert.equal(own?.length, 1);
    assert.notDeepEqual(own, other);
  });

  test('are told by what is read and nobody who was seen has written: another package may have', () => {
    const told = pairsOf(twoAnswers(nothing, (b) => b.read('Socket#destroyed')));
    assert.deepEqual(told, [PAIR, `${PAIR}\nSocket#destroyed`]);
    const written = twoAnswers(nothing, (b) => {
      b.write('Cart#size');
      b.read('Cart#size');
    });
    assert.deepEqual(pairsOf(written), [PAIR]);
  });

  test('are none where one sets off the other', () => {
    const b = new TraceBuilder();
    const task = b.activation('alice');
    b.begin(task);
    const first = b.issue('pool', A);
    b.effect(first);
    b.begin(task, b.deliver(first));
    const second = b.issue('pool', B);
    b.effect(second);
    b.begin(task, b.deliver(second));
    assert.deepEqual(pairsOf(b), []);
  });

  test('the end of a connection that the run did not come to is one of them', () => {
    const b = twoAnswers(nothing, nothing);
    b.begin(0);
    b.issue('external', 'root|net.shutdown#1', 0, -1, 'net.shutdown');
    assert.ok(pairsOf(b)?.some((pair) => pair.includes('net.shutdown')));
  });
});

describe('something depends on the order, or may', () => {
  const dependent: Readonly<Record<string, () => TraceBuilder>> = {
    'two accesses to one thing, of which one writes': () =>
      twoAnswers(
        (b) => b.write('x'),
        (b) => b.read('x'),
      ),
    'an earlier read of what is written': () =>
      twoAnswers(
        (b) => b.read('x'),
        (b) => b.write('x'),
      ),
    'the effect of a request, before or behind what a turn does': () => {
      const b = new TraceBuilder();
      const [one, other] = [b.activation('alice'), b.activation('bob')];
      b.begin(one);
      const first = b.issue('pool', A);
      b.begin(other);
      const second = b.issue('pool', B);
      b.effect(first, ['W', 'fs:a']);
      b.effect(second, ['R', 'fs:a']);
      b.deliver(first);
      b.deliver(second);
      return b;
    },
    'which of several comes first': () => {
      const b = twoAnswers(nothing, nothing);
      const of = [
        b.condition({ kind: 'delivery', request: 0 }),
        b.condition({ kind: 'delivery', request: 1 }),
      ];
      b.begin(0, b.condition({ kind: 'any', of }));
      return b;
    },
    'who gets a lock': () =>
      twoAnswers(
        (b) => b.acquire('mutex'),
        (b) => b.acquire('mutex'),
      ),
    'a cause that nobody knows': () => {
      const b = twoAnswers(nothing, nothing);
      b.begin(0, 0);
      return b;
    },
    'a timer that did not go off and might have': () => {
      let timer = -1;
      return twoAnswers(
        (b) => {
          timer = b.issue('timer', 'root.alice|setTimeout#1', STALL_MS);
        },
        (b) => b.takeBack(timer),
      );
    },
    'what waits for two answers, of which either may come last': () => {
      const b = twoAnswers((b) => b.write('x'), nothing);
      const of = [0, 1].map((request) => b.condition({ kind: 'delivery', request }));
      const both = b.condition({ kind: 'all', of });
      b.begin(b.activation('both'), both);
      b.write('y');
      b.begin(b.activation('later'), b.condition({ kind: 'delivery', request: 1 }));
      b.read('y');
      return b;
    },
    'an answer that did not come': () => {
      const b = twoAnswers(nothing, nothing);
      b.begin(0);
      b.issue('pool', 'root|fs.write#1', 0, -1, 'fs.write');
      return b;
    },
  };
  for (const [what, made] of Object.entries(dependent)) test(what, () => assert.equal(pairsOf(made()), null));

  const inTurn: Readonly<Record<string, (b: TraceBuilder) => void>> = {
    'what the callback of a turn writes and its microtasks read': (b) => {
      b.write('x');
      b.begin(b.activation('then'), b.condition({ kind: 'delivery', request: 0 }));
      b.read('x');
    },
    'what waits for an answer and for what was there before': (b) => {
      const before = b.begin(b.activation('before'), b.condition({ kind: 'start' }));
      const answer = b.condition({ kind: 'delivery', request: 0 });
      const of = [answer, b.condition({ kind: 'job', job: before })];
      b.begin(b.activation('both'), b.condition({ kind: 'all', of }));
      b.write('x');
      b.begin(b.activation('then'), answer);
      b.read('x');
    },
    'a request that is taken back at once': (b) => b.takeBack(b.issue('pool', 'root.alice|dns.lookup#1')),
  };
  for (const [what, alice] of Object.entries(inTurn))
    test(`but ${what}`, () => assert.deepEqual(pairsOf(twoAnswers(alice, nothing)), [PAIR]));

  test('but a timer that no answer is as late as', () => {
    const b = twoAnswers(nothing, nothing);
    b.begin(0);
    b.issue('timer', 'root|setTimeout#1', STALL_MS + 1);
    assert.deepEqual(pairsOf(b), [PAIR]);
  });

  test('what was recorded is not whole', () => {
    const trace = twoAnswers(nothing, nothing).build();
    assert.equal(swaps({ ...trace, saturated: [1] }, STALL_MS), null);
    assert.equal(swaps({ ...trace, ungated: { Worker: 1 } }, STALL_MS), null);
  });
});

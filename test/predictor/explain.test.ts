/** What is read off a run that failed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CutPoint } from '../../data/prediction.ts';
import { explanations, harmIn, patternsOf, widened } from '../../predictor/explain.ts';
import { TraceBuilder } from './trace-builder.ts';

/** Two tasks check a token; `a` fetches one and stores it. `late`: when `b` looks, the token is not there yet. */
function tokens({ late }: { late: boolean }) {
  const b = new TraceBuilder();
  const [one, two] = [b.activation('a'), b.activation('b')];
  b.begin(one);
  b.read('Client#token', 'check');
  const fetch = b.issue('pool', 'fetch');
  const second = () => {
    b.begin(two, b.deliver(timer));
    b.read('Client#token', 'check');
  };
  const timer = b.issue('timer', 'later', 80);
  b.effect(fetch);
  if (!late) second();
  b.begin(one, b.deliver(fetch));
  b.write('Client#token', 'store');
  if (late) second();
  return b.build();
}

test('a read that came too early explains a failure that no violation explains', () => {
  const failing = tokens({ late: false });
  const [found] = explanations(failing, tokens({ late: true }));
  assert.equal(found?.pattern, 'RRW');
  assert.equal(found?.entity, 'Client#token');
  assert.deepEqual([found?.first.task, found?.remote.task, found?.second.task], ['a', 'b', 'a']);
});

test('it is no violation, and explains nothing where the passing run shows it too', () => {
  const failing = tokens({ late: false });
  assert.deepEqual([...patternsOf(failing)], []);
  assert.deepEqual(explanations(failing, failing), []);
});

/** Two calls each fetch a token; the test counts how often. `together`: both look before either stores. */
function counted(together: boolean) {
  const b = new TraceBuilder();
  const within = (file: string, act: () => void) => {
    b.file = file;
    act();
  };
  b.begin(0);
  within('test.ts', () => b.read('fs:config', 'open'));
  const calls = ['a', 'b'].map((name) => b.activation(name));
  const begun = (call: number) => {
    b.begin(call);
    within('lib.ts', () => b.read('Client#token', 'look'));
    within('test.ts', () => b.write('test.ts:asked', 'count'));
    return b.issue('pool', `fetch ${call}`);
  };
  const ended = (call: number, fetch: number) => {
    b.effect(fetch);
    b.begin(call, b.deliver(fetch));
    within('test.ts', () => b.read('test.ts:asked', 'use'));
    within('store.ts', () => b.write('Client#token', 'store'));
  };
  if (together) {
    const fetches = calls.map(begun);
    calls.forEach((call, i) => {
      ended(call, fetches[i]!);
    });
  } else for (const call of calls) ended(call, begun(call));
  return b.build();
}

test('what the test keeps to judge leads behind what the tested code keeps', () => {
  const found = explanations(counted(true), counted(false));
  assert.deepEqual(
    found.map(({ entity, pattern }) => `${pattern} ${entity}`),
    ['RWW Client#token', 'WWR test.ts:asked'],
  );
});

/** Two tasks, one behind the other, or begun `together`. */
function inTurn(
  [one, two]: readonly number[],
  together: boolean,
  begun: (task: number) => number,
  ended: (task: number, opened: number) => void,
): void {
  const first = begun(one!);
  const second = together ? begun(two!) : null;
  ended(one!, first);
  ended(two!, second ?? begun(two!));
}

/** Two tasks each take a number twice and look and store between; `together`: both look before either stores. */
function numbered(together: boolean) {
  const b = new TraceBuilder();
  const tasks = ['a', 'b'].map((name) => b.activation(name));
  const number = () => {
    b.read('lib.ts:count', 'next');
    b.write('lib.ts:count', 'next');
  };
  const begun = (task: number) => {
    b.begin(task);
    number();
    b.read('Lock#held', 'look');
    return b.issue('pool', `open ${task}`);
  };
  const ended = (task: number, opened: number) => {
    b.effect(opened);
    b.begin(task, b.deliver(opened));
    b.write('Lock#held', 'take');
    number();
  };
  inTurn(tasks, together, begun, ended);
  return b.build();
}

test('a counter that goes up in one statement explains less than what is looked at and stored later', () => {
  const found = explanations(numbered(true), numbered(false));
  assert.deepEqual([...new Set(found.map(({ entity }) => entity))], ['Lock#held', 'lib.ts:count']);
  assert.ok(found[1]?.reasons.some((reason) => reason.startsWith('each counts on')));
});

/** Each task looks, asks the host, and stores; on the way it fills a buffer and reads it back in the same turn. */
function framed(together: boolean) {
  const b = new TraceBuilder();
  const tasks = ['one', 'two'].map((name) => b.activation(name, 'async'));
  b.begin(0);
  for (const place of ['look', 'store', 'fill', 'send']) b.read('nothing', place);
  const frame = () => {
    b.write('Buffer[0]', 'fill');
    b.read('Buffer[0]', 'send');
  };
  const begun = (task: number) => {
    b.begin(task);
    b.read('Room#members', 'look');
    frame();
    return b.issue('pool', `open ${task}`);
  };
  const ended = (task: number, opened: number) => {
    b.effect(opened);
    b.begin(task, b.deliver(opened));
    frame();
    b.write('Room#members', 'store');
  };
  inTurn(tasks, together, begun, ended);
  return b.build();
}

test('a buffer that is written anew before each look explains less than what is looked at and stored later', () => {
  const found = explanations(framed(true), framed(false));
  assert.deepEqual([...new Set(found.map(({ entity }) => entity))], ['Room#members', 'Buffer[0]']);
  assert.ok(found[1]?.reasons.some((reason) => reason.startsWith('written anew')));
});

/** Each task reads a file in two requests and writes it in two; `together`: both read before either writes. */
function inPieces(together: boolean) {
  const b = new TraceBuilder();
  const tasks = ['one', 'two'].map((name) => b.activation(name, 'async'));
  b.begin(0);
  for (const place of ['load', 'save']) b.read('nothing', place);
  const begun = (task: number) => {
    b.begin(task);
    b.read('file', 'load');
    b.read('file', 'load');
    return b.issue('pool', `open ${task}`);
  };
  const ended = (task: number, opened: number) => {
    b.effect(opened);
    b.begin(task, b.deliver(opened));
    b.write('file', 'save');
    b.write('file', 'save');
  };
  inTurn(tasks, together, begun, ended);
  return b.build();
}

test('what is read and written in pieces is as wide as from the first read to the last write', () => {
  const failing = inPieces(true);
  const [point] = explanations(failing, inPieces(false)).filter(({ pattern }) => pattern === 'RWW');
  const [wide, ...others] = widened(failing, [point!]);
  assert.deepEqual(others, []);
  const ordinals = ({ first, second }: CutPoint): number[] => [first.ordinal, second.ordinal];
  assert.deepEqual(ordinals(wide!), [0, 1]);
  assert.notDeepEqual(ordinals(point!), [0, 1]);
  assert.deepEqual(widened(failing, [wide!]), []);
});

test('harm is done by the access over which the failure was traced back', () => {
  const b = new TraceBuilder();
  const [one, two] = [b.activation('a'), b.activation('b')];
  const again = (task: number, name: string) => {
    const read = b.issue('pool', name);
    b.effect(read);
    b.begin(task, b.deliver(read));
  };
  b.begin(one);
  b.write('Loader#flight', 'set');
  b.begin(two);
  b.write('Loader#flight', 'set');
  again(one, 'answer');
  const guard = b.read('Loader#flight', 'guard');
  const drop = b.write('Loader#flight', 'drop');
  const failing = b.build();
  const found = explanations(failing, new TraceBuilder().build());
  const harm = harmIn(
    failing,
    new Map([
      [drop, 0],
      [guard, 1],
    ]),
  );
  const byPattern = new Map(found.map((point) => [point.pattern, harm(point)]));
  assert.deepEqual([byPattern.get('WWW'), byPattern.get('WWR')], [0, 1]);
  assert.equal(harmIn(failing, new Map())(found[0]!), Number.POSITIVE_INFINITY);
});

/** Takes from a queue that another one fills, when an answer has come. `looks`: how often it looks whether there is something. */
function taken(looks: 1 | 2) {
  const b = new TraceBuilder();
  const [taker, filler] = [b.activation('take'), b.activation('fill')];
  b.begin(taker);
  b.read('Queue#length', 'check');
  const bell = b.issue('pool', 'bell');
  const request = b.issue('pool', 'request');
  b.effect(request);
  b.begin(filler, b.deliver(request));
  b.write('Queue#length', 'push');
  b.effect(bell);
  b.begin(taker, b.deliver(bell));
  if (looks === 2) b.read('Queue#length', 'check');
  b.write('Queue#length', 'shift');
  return b.build();
}

test('who looks again before it acts does not act on an old answer', () => {
  const patterns = (trace: ReturnType<typeof taken>) =>
    [...patternsOf(trace)].map((pattern) => pattern.split('|')[0]);
  assert.deepEqual(patterns(taken(1)), ['RWW']);
  assert.deepEqual(patterns(taken(2)), ['RWR'], 'what it saw first may have been used');
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failureOf, normalise } from '../../../rescheduler/failure.ts';

const thrown = (fn: () => void): unknown => {
  try {
    fn();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
};
const print = (error: unknown) => failureOf(error).fingerprint;

describe('two failures of one defect have one fingerprint', () => {
  const cases: Record<string, [unknown, unknown]> = {
    numbers: [thrown(() => assert.equal(1, 2)), thrown(() => assert.equal(30, 4))],
    'temporary paths': [
      new Error("ENOENT: no such file, open '/tmp/x-Ab12/cart.json'"),
      new Error("ENOENT: no such file, open '/tmp/x-Zz99/cart.json'"),
    ],
    'temporary paths of a warm run in memory and of a fresh one on the disk': [
      new Error("EEXIST, mkdir '/dev/shm/unweave-zGie5p/run-jXRZqG/reports'"),
      new Error("EEXIST, mkdir '/home/ann/scratch/unweave-Kq/run-Ab/reports'"),
    ],
    'temporary paths of macOS': [
      new Error("open '/var/folders/zz/q1/T/x-Ab/cart'"),
      new Error("open '/var/folders/zz/q1/T/x-Cd/cart'"),
    ],
    'folders of random names, wherever they are': [
      new Error("EEXIST: file already exists, mkdir 'run/logs-h7Fxle/log'"),
      new Error("EEXIST: file already exists, mkdir 'run/logs-abCdef/log'"),
    ],
    addresses: [new Error('at 0xdeadbeef'), new Error('at 0x1f')],
    identifiers: [
      new Error('job 0f8fad5b-d9cb-469f-a165-70867728950e lost'),
      new Error('job 7c9e6679-7425-40de-944b-e07fc1f90ae7 lost'),
    ],
    colours: [new Error('\u001b[31mred\u001b[39m'), new Error('red')],
    'what the runner wraps': [
      Object.assign(new Error('test failed'), { code: 'ERR_TEST_FAILURE', cause: new Error('inner') }),
      new Error('inner'),
    ],
  };
  for (const [name, [a, b]] of Object.entries(cases)) test(name, () => assert.equal(print(a), print(b)));
});

describe('failures of different defects differ', () => {
  const different: Record<string, [unknown, unknown]> = {
    name: [new TypeError('x'), new Error('x')],
    code: [
      Object.assign(new Error('x'), { code: 'EEXIST' }),
      Object.assign(new Error('x'), { code: 'ENOENT' }),
    ],
    message: [new Error('cart is empty'), new Error('cart is full')],
    file: [new Error("open 'logs/orders.sqlite'"), new Error("open 'logs/orders.backup'")],
    'words of six letters behind a hyphen': [
      new Error("expected 'job-failed'"),
      new Error("expected 'job-closed'"),
    ],
    'codes of six letters': [new Error("got 'ERR_CLOSED'"), new Error("got 'ERR_OPENED'")],
    'words that look like hex': [new Error('facade'), new Error('decade')],
  };
  for (const [name, [a, b]] of Object.entries(different))
    test(name, () => assert.notEqual(print(a), print(b)));
});

test('kinds', () => {
  assert.equal(failureOf(thrown(() => assert.ok(false))).kind, 'assertion');
  assert.equal(failureOf(new Error('x')).kind, 'exception');
  assert.equal(failureOf(new Error('x'), 'unhandled-rejection').kind, 'unhandled-rejection');
});

test('anything can be thrown', () => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
    },
  );
  for (const error of [undefined, null, 0, '', 'text', Symbol('s'), hostile, Object.create(null)]) {
    const failure = failureOf(error);
    assert.equal(typeof failure.message, 'string');
    assert.ok(failure.fingerprint.length > 0);
  }
  assert.equal(failureOf('text').message, 'text');
});

test('a long message is cut', () => assert.equal(normalise('word '.repeat(1000)).length, 400));

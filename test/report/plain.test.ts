import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainLine, plainText, plainValue } from '../../report/plain.ts';

test('what a terminal would obey becomes visible; lines, tabs and letters stay', () => {
  assert.equal(plainText('a\u001b[2J\u0007\tb\nc\r\nd 😀 é'), 'a␛[2J␇\tb\nc\nd 😀 é');
  assert.equal(plainText('\u009b3J\u202eabc\u007f'), '\ufffd3J\ufffdabc␡');
  assert.equal(plainLine('a\nb'), 'a␊b');
  assert.equal(plainLine('x'.repeat(1000)).length, 300);
});

test('in a view: names are lines, messages may be several, ids and keys stay as they are', () => {
  const view = { id: 'a\nb', name: 'a\nb', tests: { 'k\n': { reason: 'a\nb' } }, n: [1, null, 'x\u0007'] };
  assert.deepEqual(plainValue(view), {
    id: 'a\nb',
    name: 'a␊b',
    tests: { 'k\n': { reason: 'a\nb' } },
    n: [1, null, 'x␇'],
  });
});

/** Accesses to what threads share only in this run, turned round. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import { turnedRound } from '../../../predictor/threads/turned-round.ts';

/** Of each order its events, by their places. */
function turned(...events: string[]): string[] {
  const trace = readStd([events.map((event) => `${event}\n`).join('')]);
  const { point } = trace.events;
  return turnedRound(trace, new Set(['term'])).map(({ schedule }) =>
    schedule.map((event) => trace.names.points[point[event]!]).join(' '),
  );
}

test('the thread that writes stops before it, and all else comes as it did', () => {
  const found = turned(
    'a|w(own)|1',
    'a|send(m)|2',
    'a|w(term)|3',
    'a|w(own)|4',
    'b|recv(m)|5',
    'b|r(term)|6',
  );
  assert.deepEqual(found, ['1 2 5 6 3']);
});

test('what waits for more of that thread cannot come before', () => {
  assert.deepEqual(turned('a|w(term)|1', 'a|send(m)|2', 'b|recv(m)|3', 'b|r(term)|4'), []);
  const locked = ['b|acq(l)|4', 'b|r(term)|5', 'b|rel(l)|6'];
  assert.deepEqual(turned('a|acq(l)|1', 'a|r(own)|7', 'a|w(term)|2', 'a|rel(l)|3', ...locked), []);
  assert.deepEqual(
    turned('a|acq(l)|1', 'a|w(term)|2', 'a|rel(l)|3', ...locked),
    ['4 5 1 2'],
    'or at the door',
  );
  assert.deepEqual(turned('a|w(term)|1', 'a|fork(b)|2', 'b|r(term)|3'), []);
  const joined = ['m|fork(a)|1', 'a|w(own)|2', 'a|w(term)|3', 'm|join(a)|4', 'm|r(term)|5'];
  assert.deepEqual(turned(...joined), []);
});

test('nor what waits for a third one that waits for it', () => {
  const relayed = ['a|w(term)|1', 'a|send(m)|2', 'b|recv(m)|3', 'b|send(n)|4', 'c|recv(n)|5', 'c|r(term)|6'];
  assert.deepEqual(turned(...relayed), []);
});

test('a lock that was given back before keeps nobody out', () => {
  const found = turned('a|acq(l)|1', 'a|rel(l)|2', 'a|w(term)|3', 'b|acq(l)|4', 'b|r(term)|5', 'b|rel(l)|6');
  assert.deepEqual(found, ['1 2 4 5 3']);
});

test('other entities are left to the patterns', () => {
  assert.deepEqual(turned('a|w(known)|1', 'b|r(known)|2'), []);
  assert.deepEqual(turned('a|r(term)|1', 'b|r(term)|2'), []);
});

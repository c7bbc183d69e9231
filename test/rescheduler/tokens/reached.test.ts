import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import { ReachedEntities } from '../../../rescheduler/tokens/reached.ts';

const trace = (...events: string[]) => readStd([events.map((event) => `${event}\n`).join('')]);
const OBSERVED = trace('a|w(term)|1', 'b|r(own)|2', 'a|w(known)|3', 'b|r(known)|4');
const ran = (outcome: 'pass' | 'fail', ...events: string[]) => ({ outcome, threads: trace(...events) });

test('a run in which threads share what they did not is gone on from, once', () => {
  const reached = new ReachedEntities(OBSERVED);
  const events = ['a|w(term)|1', 'b|r(term)|5', 'a|w(known)|3', 'b|r(known)|4'];
  assert.deepEqual(reached.look(ran('pass', ...events))?.fresh, new Set(['term']));
  assert.equal(reached.look(ran('pass', ...events)), null);
});

test('so is one in which another thread comes to what two shared', () => {
  const reached = new ReachedEntities(trace('a|w(known)|3', 'b|r(known)|4', 'c|w(own)|5'));
  const events = ['a|w(known)|3', 'b|r(known)|4', 'c|w(known)|6'];
  assert.deepEqual(reached.look(ran('pass', ...events))?.fresh, new Set(['known']));
  assert.equal(reached.look(ran('pass', ...events)), null);
});

test('not one that fails, that only reads, or in which other threads ran', () => {
  const reached = new ReachedEntities(OBSERVED);
  assert.equal(reached.look(ran('fail', 'a|w(term)|1', 'b|r(term)|5')), null);
  assert.equal(reached.look(ran('pass', 'a|r(term)|1', 'b|r(term)|5')), null);
  assert.equal(reached.look(ran('pass', 'a|w(term)|1', 'c|r(term)|5')), null);
  assert.equal(reached.look(ran('pass', 'a|r(own)|1', 'b|r(known)|4')), null);
});

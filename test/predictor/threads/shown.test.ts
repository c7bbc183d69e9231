/** What explains a failure that nobody predicted is read off the failing run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import { shownOnlyBy } from '../../../predictor/threads/shown.ts';

const trace = (...events: string[]) => readStd([events.map((event) => `${event}\n`).join('')]);

/** `RWW seats ann:2 bob:3 ann:3`: the pattern, the entity, thread and place of each access. */
function shown(failing: string[], natural: string[]): string[] {
  const { events, names } = trace(...failing);
  const at = (i: number) => `${names.threads[events.thread[i]!]}:${names.points[events.point[i]!]}`;
  return shownOnlyBy(trace(...failing), trace(...natural)).map(
    ({ pattern, entity, first, remote, second }) =>
      `${pattern} ${names.entities[entity]} ${at(first)} ${at(remote)} ${at(second)}`,
  );
}

const NATURAL = ['ann|begin(f)|1', 'ann|r(seats)|2', 'ann|w(seats)|3', 'ann|end(f)|4', 'bob|r(seats)|2'];

test('a check that succeeds twice', () => {
  const failing = [
    ...['ann|begin(f)|1', 'ann|r(seats)|2', 'bob|begin(f)|1', 'bob|r(seats)|2', 'bob|w(seats)|3'],
    ...['bob|end(f)|4', 'ann|w(seats)|3', 'ann|end(f)|4'],
  ];
  assert.deepEqual(shown(failing, NATURAL), ['RWW seats ann:2 bob:3 ann:3']);
});

test('what the observed order shows as well explains nothing', () => {
  const both = [...['ann|begin(f)|1', 'ann|w(log)|5', 'bob|r(log)|6', 'ann|w(log)|7', 'ann|end(f)|8']];
  assert.deepEqual(shown(both, both), []);
  assert.deepEqual(shown(both, NATURAL), ['WRW log ann:5 bob:6 ann:7']);
});

test('accesses of two transactions of one thread belong together nowhere', () => {
  const failing = [
    ...['ann|begin(f)|1', 'ann|r(seats)|2', 'ann|end(f)|4', 'bob|w(seats)|9'],
    ...['ann|begin(f)|1', 'ann|w(seats)|3', 'ann|end(f)|4'],
  ];
  assert.deepEqual(shown(failing, NATURAL), []);
});

test('lost updates lead, and one read and one write stand for all in between', () => {
  const failing = [
    ...['ann|begin(f)|1', 'ann|r(x)|2', 'ann|r(y)|2', 'bob|w(x)|7', 'bob|w(y)|8', 'bob|w(y)|9'],
    ...['ann|r(x)|3', 'ann|w(y)|4', 'ann|end(f)|5'],
  ];
  assert.deepEqual(shown(failing, NATURAL), ['RWW y ann:2 bob:8 ann:4', 'RWR x ann:2 bob:7 ann:3']);
});

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createProgress, duration, type ProgressState, progressLine } from '../../report/progress.ts';

const state: ProgressState = {
  phase: 'forcing',
  test: 'a.test.ts › x',
  tests: { done: 2, of: 5 },
  found: 1,
  tried: 30,
  planned: 90,
  elapsedMs: 2000,
};

function sink(isTTY: boolean) {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { chunks, stream: Object.assign(stream, { isTTY, columns: 60 }) };
}

test('the line says found, tried, planned, rate and time left', () => {
  assert.equal(
    progressLine(state),
    'forcing 2/5 · 1 found · 30 of 90 schedules · 15/s · about 4 s left · a.test.ts › x',
  );
  assert.equal(
    progressLine({ phase: 'recording', found: 0, tried: 0, planned: 0, elapsedMs: 0 }),
    'recording',
  );
  assert.match(progressLine({ ...state, tried: 90 }), /45\/s · a\.test/);
  assert.match(progressLine({ ...state, planned: 1 }), / · 30 schedules · /);
  assert.match(progressLine({ ...state, leftMs: 3000 }), /about 3 s left/);
  assert.match(progressLine({ ...state, leftMs: 9000 }), /about 4 s left/);
});

test('durations for people', () => {
  assert.deepEqual([0, 89_000, 125_000].map(duration), ['0 s', '89 s', '2 min 5 s']);
});

test('without a terminal: a line per phase and every ten seconds', () => {
  const { chunks, stream } = sink(false);
  let time = 0;
  const progress = createProgress({ stream, now: () => time });
  progress.update(state);
  time = 5000;
  progress.update(state);
  assert.equal(chunks.length, 1);
  progress.update({ ...state, phase: 'confirming' });
  assert.equal(chunks.length, 2);
  time = 15_000;
  progress.update({ ...state, phase: 'confirming' });
  assert.equal(chunks.length, 3);
  progress.done();
  progress.update({ ...state, phase: 'late' });
  assert.equal(chunks.length, 3);
  assert.ok(chunks.every((line) => /^unweave: .*\n$/.test(line)));
});

test('on a terminal: one live line that fits, and that is gone at the end', () => {
  const { chunks, stream } = sink(true);
  const progress = createProgress({ stream, now: () => 0 });
  progress.update({ ...state, test: 'x'.repeat(200) });
  const shown = stripVTControlCharacters(chunks.join('')).trimEnd();
  assert.match(shown, /^forcing 2\/5/);
  assert.ok(shown.length < 60);
  const before = chunks.length;
  progress.done();
  assert.ok(chunks.slice(before).join('').includes('\u001b[2K'), 'the line is erased');
});

test('quiet writes nothing', () => {
  const { chunks, stream } = sink(false);
  const progress = createProgress({ quiet: true, stream });
  progress.update(state);
  progress.done();
  assert.deepEqual(chunks, []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKeptOut } from '../../predictor/rank.ts';
import { TraceBuilder } from './trace-builder.ts';

/** What is held is written and removed; `reader`: somebody looks into it. */
function held(reader = false) {
  const b = new TraceBuilder();
  const path = 'fs:*/a.lock';
  b.begin(b.activation('alice'));
  const open = b.issue('pool', 'root.alice|fs.open#1');
  b.effect(open, ['W', path], ['W', `${path} (content)`]);
  b.begin(b.activation('bob'));
  const refused = b.issue('pool', 'root.bob|fs.open#1');
  b.effect(refused, ['R', path], ...(reader ? [['R', `${path} (content)`] as const] : []));
  return b.build();
}

test('a lock file that was there between two writes of its holder kept somebody out', () => {
  assert.ok(isKeptOut(held(), { entity: 'fs:*/a.lock', pattern: 'WRW' }));
});

test('a file that others look into is none, nor is it where both come in, nor another one', () => {
  assert.ok(!isKeptOut(held(true), { entity: 'fs:*/a.lock', pattern: 'WRW' }));
  assert.ok(!isKeptOut(held(), { entity: 'fs:*/a.lock', pattern: 'RWW' }));
  assert.ok(!isKeptOut(held(), { entity: 'fs:*/a.lock (content)', pattern: 'WRW' }));
  assert.ok(!isKeptOut(held(), { entity: 'Store#lock', pattern: 'WRW' }));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessPoint } from '../../data/prediction.ts';
import { isKeptOut } from '../../predictor/rank.ts';
import { TraceBuilder } from './trace-builder.ts';

const at = (place: string, request: string): AccessPoint => ({
  ...{ site: 0, at: place, path: 'root.alice', task: 'alice' },
  ...{ access: 'read', ordinal: 0, request, event: 0 },
});
const PLACES = {
  first: at('a.ts:1:1', 'root.alice|fs.stat#1'),
  second: at('a.ts:2:1', 'root.alice|fs.open#1'),
};

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
  assert.ok(isKeptOut(held(), { entity: 'fs:*/a.lock', pattern: 'WRW', ...PLACES }));
});

test('a file that others look into is none, nor is it where both come in, nor another one', () => {
  assert.ok(!isKeptOut(held(true), { entity: 'fs:*/a.lock', pattern: 'WRW', ...PLACES }));
  assert.ok(!isKeptOut(held(), { entity: 'fs:*/a.lock', pattern: 'RWW', ...PLACES }));
  assert.ok(!isKeptOut(held(), { entity: 'fs:*/a.lock (content)', pattern: 'WRW', ...PLACES }));
  assert.ok(!isKeptOut(held(), { entity: 'Store#lock', pattern: 'WRW', ...PLACES }));
});

test('who met it and tries again has no old answer, but for two operations of a package that is called at one place', () => {
  const [met, again, looked] = ['fs.open#1', 'fs.open#2', 'fs.stat#1'].map((api) =>
    at('a.ts:2:1', `root.alice|${api}`),
  ) as [AccessPoint, AccessPoint, AccessPoint];
  const told = { entity: 'fs:*/a.lock', pattern: 'RWW' } as const;
  assert.ok(isKeptOut(held(), { ...told, first: met, second: again }));
  assert.ok(!isKeptOut(held(), { ...told, first: looked, second: met }));
});

/** What abstract replay takes to be possible next. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LOOP } from '../../../data/feasibility/rules.ts';
import { LoopSketch } from '../../../data/feasibility/sketch/loop-sketch.ts';
import { DELIVER, EFFECT, END } from '../../../data/feasibility/sketch/steps.ts';
import { Trail } from '../../../data/feasibility/sketch/trail.ts';
import type { RequestKind } from '../../../data/trace.ts';

const STEPS = [EFFECT, END, DELIVER];

/** The steps that are possible where all of these were asked for in one turn: `E0` an effect, `X0` an end, `D0` a delivery. */
function possible(kinds: readonly RequestKind[], taken: readonly string[] = []): string[] {
  const requests = kinds.map((kind, id) => ({
    ...{ id, kind, delay: 1, ref: true, behind: -1 },
    effects: kind === 'pool' ? [0] : [],
  }));
  const of = requests.flatMap(({ id, effects }) =>
    STEPS.slice(effects.length === 0 ? 1 : 0).map((kind) => ({ id, kind })),
  );
  const steps = {
    count: of.length,
    first: Int32Array.from(requests, ({ id }) => of.findIndex((step) => step.id === id)),
    request: Int32Array.from(of, ({ id }) => id),
    kind: Uint8Array.from(of, ({ kind }) => kind),
  };
  const names = of.map(({ id, kind }) => `${{ [EFFECT]: 'E', [END]: 'X', [DELIVER]: 'D' }[kind]}${id}`);
  const loop = new LoopSketch(new Trail(), requests, steps, DEFAULT_LOOP);
  for (const { id } of requests) loop.start(id);
  for (const name of taken) loop.take(names.indexOf(name));
  const out: number[] = [];
  return out
    .slice(0, loop.enabled(out))
    .map((step) => names[step]!)
    .sort();
}

test('four threads work at a time, and the fifth request waits for one', () => {
  const five = Array<RequestKind>(5).fill('pool');
  assert.deepEqual(possible(five), ['E0', 'E1', 'E2', 'E3']);
  assert.deepEqual(possible(five, ['E0']), ['D0', 'E1', 'E2', 'E3', 'X0']);
  assert.deepEqual(possible(five, ['E0', 'X0']), ['D0', 'E1', 'E2', 'E3', 'E4']);
});

test('what arrives outside of the pool, and close callbacks, need no thread', () => {
  const five = Array<RequestKind>(5).fill('external');
  assert.deepEqual(possible([...five, 'close', 'pool']), ['D0', 'D1', 'D2', 'D3', 'D4', 'D5', 'E6']);
  assert.deepEqual(possible(['pool', 'pool', 'pool', 'pool', 'external']), ['D4', 'E0', 'E1', 'E2', 'E3']);
});

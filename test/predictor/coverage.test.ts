/** Where there is something to reorder, and where there is not. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { coverageOf } from '../../predictor/coverage.ts';
import { TraceBuilder } from './trace-builder.ts';

/** A root that awaits two reads, one after the other or both at once. */
function twoReads(together: boolean) {
  const t = new TraceBuilder();
  t.begin(0);
  const a = t.issue('pool', 'a');
  const early = together ? t.issue('pool', 'b') : -1;
  t.effect(a);
  t.begin(0, t.deliver(a));
  const b = together ? early : t.issue('pool', 'b');
  t.effect(b);
  t.begin(0, t.deliver(b));
  t.read('x');
  return t.build();
}

test('one operation after the other leaves nothing to reorder', () => {
  assert.equal(coverageOf(twoReads(false)).coverage, 'no-concurrency');
});

test('two answers awaited at a time can come in either order, whoever awaits them', () => {
  assert.equal(coverageOf(twoReads(true)).coverage, 'analysed');
});

test('what was asked for may take effect before a synchronous call of the same turn', () => {
  const coverage = (askedFirst: boolean, inMicrotask = false) => {
    const t = new TraceBuilder();
    t.begin(0);
    if (!askedFirst) t.write('a file');
    const a = t.issue('pool', 'a');
    if (inMicrotask) t.begin(0, t.condition({ kind: 'job', job: 0 }));
    if (askedFirst) t.write('a file');
    t.effect(a);
    t.begin(0, t.deliver(a));
    const trace = t.build();
    const entities = trace.entities.map((entity) => ({ ...entity, kind: 'resource' as const }));
    return coverageOf({ ...trace, entities }).coverage;
  };
  assert.equal(coverage(false), 'no-concurrency');
  assert.equal(coverage(true), 'analysed');
  assert.equal(coverage(true, true), 'analysed');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causality } from '../../predictor/causality.ts';
import { Holds } from '../../predictor/holds.ts';
import { buildProgram } from '../../predictor/program.ts';
import { TraceBuilder } from './trace-builder.ts';

test('a call that touches nothing itself leads to the request behind it, not to what ran before', () => {
  const b = new TraceBuilder();
  const task = b.activation('alice');
  const helper = b.activation('helper', 'async', task);
  b.begin(task);
  const asked = b.issue('pool', 'root.alice|fs.stat#1');
  b.effect(asked);
  b.begin(task, b.deliver(asked));
  const first = b.read('x');
  const request = b.issue('pool', 'root.alice.helper|fs.read#1');
  b.effect(request);
  // `return await read()`: the job of the helper has no event of its own.
  const empty = b.begin(helper, b.deliver(request));
  b.begin(task, b.condition({ kind: 'job', job: empty }));
  const second = b.write('x');

  const program = buildProgram(b.build());
  assert.deepEqual(program.jobs[empty]?.events, []);
  const chain = new Holds(program, causality(program)).chain(second, first);
  assert.deepEqual(chain, [2 * request, 2 * request + 1]);
});

/** The closure of causes, whatever is asked first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Condition } from '../../data/trace.ts';
import { causality } from '../../predictor/causality.ts';
import { buildProgram, type Program } from '../../predictor/program.ts';
import { TraceBuilder } from './trace-builder.ts';

/** Jobs that wait for earlier ones: `edges[i]` are those of job `i`. */
function programOf(edges: readonly (readonly number[])[]): Program {
  const conditions: Condition[] = [];
  const conditionOf = (condition: Condition) => conditions.push(condition) - 1;
  const jobs = edges.map((before, id) => {
    const of = before.map((job) => conditionOf({ kind: 'job', job }));
    return { id, activation: 0, condition: conditionOf({ kind: 'all', of }), events: [], previous: -1 };
  });
  const nodeOf = Int32Array.from(edges.keys());
  return { jobs, requests: [], conditions, nodeOf, askedBy: new Map() } as unknown as Program;
}

function reaches(edges: readonly (readonly number[])[], from: number, to: number): boolean {
  return edges[to]!.some((p) => p === from || reaches(edges, from, p));
}

const graphs = fc
  .integer({ min: 2, max: 9 })
  .chain((n) =>
    fc
      .tuple(...Array.from({ length: n }, (_, i) => fc.subarray([...Array(i).keys()])))
      .chain((edges) =>
        fc.record({ edges: fc.constant(edges), order: fc.shuffledSubarray([...edges.keys()]) }),
      ),
  );

test('a node that waits for one of its siblings inherits its causes', () => {
  // 3 waits for 1 and 2, and 2 waits for 1 too; 1 waits for 0.
  const { precedes } = causality(programOf([[], [0], [1], [1, 2]]));
  assert.ok(precedes(0, 3));
  assert.ok(precedes(0, 2));
});

test('precedes is the transitive closure', () => {
  fc.assert(
    fc.property(graphs, ({ edges, order }) => {
      const { precedes } = causality(programOf(edges));
      for (const to of order)
        for (const from of edges.keys()) assert.equal(precedes(from, to), reaches(edges, from, to));
    }),
  );
});

test('a chain of any length costs one row', () => {
  const length = 300_000;
  const { precedes } = causality(programOf(Array.from({ length }, (_, i) => (i === 0 ? [] : [i - 1]))));
  assert.ok(precedes(0, length - 1));
  assert.ok(precedes(length / 2, length / 2 + 1));
  assert.ok(!precedes(length - 1, 0));
});

test('what another process brings right behind a step of its own gives the step to nobody else', () => {
  const b = new TraceBuilder();
  const body = b.activation('body');
  const child = b.activation('child');
  b.begin(body);
  const sleep = b.issue('timer', 'sleep', 50);
  const step = b.issue('external', 'step');
  b.begin(child, b.deliver(step));
  const write = b.write('x');
  b.arrive(body, 'message', step);
  b.begin(body, b.deliver(sleep));
  const read = b.read('x');
  const { before } = causality(buildProgram(b.build()));
  assert.equal(before(write, read), false);
});

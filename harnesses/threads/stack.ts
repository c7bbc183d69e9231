/** Penelope's five rows of `Stack`, which is a `Vector` with `push` and `pop`: those change the parameter here. */
import assert from 'node:assert/strict';
import type { Vector } from '../lib/vector.ts';
import { vectorRow } from '../lib/vector-row.ts';

const push = (stack: Vector, element: number): void => stack.add(element);

const pop = (stack: Vector): number =>
  stack.synchronized(() => {
    const length = stack.size();
    const top = stack.get(length - 1);
    stack.removeElementAt(length - 1);
    return top;
  });

const expect = { pattern: 'RWR', entity: 'source.elementCount' } as const;

vectorRow({
  name: 'stack addAll',
  target: [1],
  source: [2, 3],
  use: ({ target, source }) => target.addAll(source),
  change: pop,
  allowed: [
    [1, 2, 3],
    [1, 2],
  ],
  expect,
});

vectorRow({
  name: 'stack containsAll',
  target: [1, 2, 3, 4],
  source: [2, 3],
  use: ({ target, source }) => assert.equal(target.containsAll(source), true),
  change: (source) => push(source, 4),
  allowed: [[1, 2, 3, 4]],
  // The iterator notices that the stack was changed before it notices that it has grown.
  expect: { pattern: 'RWR', entityMatch: '^source\\.(elementCount|modCount)$' },
});

vectorRow({
  name: 'stack removeAll',
  target: [3, 1, 3],
  source: [2, 3],
  use: ({ target, source }) => target.removeAll(source),
  change: pop,
  allowed: [[1], [3, 1, 3]],
  expect,
});

vectorRow({
  name: 'stack retainAll',
  target: [3, 1, 3],
  source: [2, 3],
  use: ({ target, source }) => target.retainAll(source),
  change: pop,
  allowed: [[3, 3], []],
  expect,
});

vectorRow({
  name: 'stack constructor',
  target: [],
  source: [2, 3],
  use: ({ target, source }) => target.fillFrom(source),
  change: pop,
  allowed: [[2, 3], [2]],
  expect,
});

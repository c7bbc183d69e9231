/**
 * Penelope's five rows of `Vector`: a method of `target` asks `source`, its parameter, step by step, while another
 * thread changes it. Where it does not end in an exception, the target becomes what no serial order makes of it.
 */
import assert from 'node:assert/strict';
import { vectorRow } from '../lib/vector-row.ts';

const expect = { pattern: 'RWR', entity: 'source.elementCount' } as const;

vectorRow({
  name: 'vector addAll',
  target: [1],
  source: [2, 3],
  use: ({ target, source }) => target.addAll(source),
  change: (source) => source.removeAllElements(),
  allowed: [[1, 2, 3], [1]],
  expect,
});

vectorRow({
  name: 'vector containsAll',
  target: [1, 2, 3],
  source: [2, 3],
  use: ({ target, source }) => assert.equal(target.containsAll(source), true),
  change: (source) => source.removeAllElements(),
  allowed: [[1, 2, 3]],
  expect,
});

vectorRow({
  name: 'vector removeAll',
  target: [2, 1, 3],
  source: [2, 3],
  use: ({ target, source }) => target.removeAll(source),
  change: (source) => source.removeAllElements(),
  allowed: [[1], [2, 1, 3]],
  expect,
});

vectorRow({
  name: 'vector retainAll',
  target: [2, 1, 3],
  source: [2, 3],
  use: ({ target, source }) => target.retainAll(source),
  change: (source) => source.removeAllElements(),
  allowed: [[2, 3], []],
  expect,
});

vectorRow({
  name: 'vector constructor',
  target: [],
  source: [2, 3],
  use: ({ target, source }) => target.fillFrom(source),
  change: (source) => source.add(4),
  allowed: [
    [2, 3],
    [2, 3, 4],
  ],
  expect,
});

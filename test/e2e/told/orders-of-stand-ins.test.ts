/**
 * Tests that give the operations of the code under test times of their own, and expect the order that follows from these: no races,
 * unless the code under test itself makes something of that order.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEW_ORDERS, project, readReport, run } from '../batch/command.ts';

const MAP = `export function map(items, limit, job, after, done) {
  let running = 0;
  let next = 0;
  let left = items.length;
  const results = [];
  const begin = () => {
    while (running < limit && next < items.length) {
      const i = next++;
      running++;
      job(items[i], () => {
        running--;
        results.push(items[i]);
        after(i);
        if (--left === 0) return done(results);
        begin();
      });
    }
  };
  begin();
}
`;
const HEAD = `import assert from 'node:assert';
import { test } from 'node:test';
import { map } from './map.js';
const job = (ms, done) => setTimeout(done, ms);
`;
const LOG = `${HEAD}
test('two at a time', (t, done) => {
  const order = [];
  map([250, 25, 500, 125], 2, job, (i) => order.push(i), () => {
    assert.deepStrictEqual(order, [1, 0, 3, 2]);
    done();
  });
});
`;
/** The results of a map are in the order of what is mapped: here they are in that of the answers. */
const RESULTS = `${HEAD}
test('in order', (t, done) => {
  map([5], 1, job, () => {}, () => {});
  map([30, 60, 50], 2, job, () => {}, (results) => {
    assert.deepStrictEqual(results, [30, 60, 50]);
    done();
  });
});
`;
/** What its helper keeps is changed by whoever waits. */
const HELPER = `import assert from 'node:assert';
import { test } from 'node:test';
import { map } from './map.js';
const pending = new Set();
const wait = (ms) => new Promise((resolve) => {
  const timer = setTimeout(() => { pending.delete(timer); resolve(); }, ms);
  pending.add(timer);
});
test('one is left', async () => {
  const queue = ['a', 'b'];
  (async () => {
    while (queue.length > 0) {
      map([queue.shift()], 1, (_, done) => done(), () => {}, () => {});
      await wait(300);
    }
  })();
  await wait(100);
  assert.equal(queue.length, 1);
});
`;
const PROGRAMS: readonly (readonly [name: string, tests: string, classes: readonly string[]])[] = [
  ['the order in which stand-ins answer: no race', LOG, ['timing']],
  ['the order that the code under test makes of it: a race', RESULTS, ['race']],
  ['what a helper of the tests keeps: no race', HELPER, ['timing']],
];
for (const [name, tests, classes] of PROGRAMS)
  test(name, async (t) => {
    const cwd = project(t, { 'a.test.js': tests, 'map.js': MAP });
    const { out } = await run(cwd, [
      ...['run', ...FEW_ORDERS, '--json', 'out.json', '--', process.execPath, '--test', 'a.test.js'],
    ]);
    assert.deepEqual([...new Set(readReport(cwd).bugs.map((bug) => bug.class))], classes, out);
  });

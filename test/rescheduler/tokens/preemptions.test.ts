import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import { preemptions, twoPreemptions } from '../../../rescheduler/tokens/preemptions.ts';
import { Bundled } from './bundled.ts';

const TRACE = ['a|r(x)|1', 'a|w(own)|2', 'a|acq(l)|3', 'a|w(x)|4', 'a|rel(l)|5', 'b|r(x)|6', 'b|r(own2)|7'];
const trace = readStd([TRACE.join('\n')]);

describe('schedules with one preemption', () => {
  it('let another thread go first before each step that it could notice or prevent', () => {
    const found = [...preemptions(trace, 100)].map(({ event, grants }) => [event, grants]);
    assert.deepEqual(found, [
      [0, [1, 1]],
      [2, [0, 2, 1, 1]],
      [3, [0, 3, 1, 1]],
      [4, [0, 4, 1, 1]],
    ]);
  });

  it('let nobody go who waits for its fork, or for what was not sent yet', () => {
    const [main, worker] = [
      ['main|r(x)|1', 'main|fork(w)|2', 'main|w(x)|3', 'main|send(m)|4', 'main|w(x)|5'],
      ['w|r(x)|6', 'w|recv(m)|7', 'w|r(x)|8'],
    ];
    const found = [
      ...preemptions(
        readStd([[...main!.slice(0, 3), worker![0], ...main!.slice(3), ...worker!.slice(1)].join('\n')]),
        100,
      ),
    ];
    assert.deepEqual(
      found.map(({ event, thread }) => [event, thread]),
      [
        [2, 1],
        [3, 0],
        [5, 1],
      ],
    );
  });

  it('are spread over the whole order where there are too many', () => {
    assert.deepEqual(
      [...preemptions(trace, 2)].map(({ event }) => event),
      [0, 3],
    );
  });
});

describe('schedules with two preemptions', () => {
  const locked = (thread: string, line: number): string[] =>
    ['r(l)', 'w(l)', 'r(x)', 'w(x)', 'w(l)'].map((what, at) => `${thread}|${what}|${line + at}`);
  const lock = readStd([[...locked('a', 1), ...locked('b', 1)].join('\n')]);

  it('begin with those that stop both threads between two accesses of one entity', () => {
    const found = [...twoPreemptions(lock, 100)];
    const [first] = found;
    // Before `a` takes the lock that it saw free, then before `b` writes what it has read inside.
    assert.ok(found.some(({ grants }) => String(grants) === '0,1,1,3,0,1'));
    assert.deepEqual([first!.event, first!.second.event, first!.grants], [1, 6, [0, 1, 1, 1, 0, 1]]);
    assert.equal(new Set(found.map(({ grants }) => String(grants))).size, found.length);
  });

  it('let nobody go on who waits for what was not sent yet', () => {
    const lines = [
      ...['a|r(x)|1', 'a|w(x)|2', 'a|send(m)|3', 'b|r(x)|4', 'b|recv(m)|5', 'b|w(x)|6'],
      ...['c|recv(m)|7', 'c|w(x)|8'],
    ];
    const found = [...twoPreemptions(readStd([lines.join('\n')]), 100)].map(({ grants }) => String(grants));
    // Before the third step of `a` nobody gets further than to the receive, and only `a` can go on then.
    const early = ['1,1,0,1', '0,1,1,1,0,1', '0,2,1,1,0,1'];
    const late = ['0,3,2,1,1,1', '0,3,1,1,2,1,1,1', '0,3,1,2,2,1,1,1'];
    assert.deepEqual(new Set(found), new Set([...early, ...late]));
  });

  it('are no more than wanted, and none where none are wanted', () => {
    assert.equal([...twoPreemptions(lock, 3)].length, 3);
    assert.equal([...twoPreemptions(lock, 0)].length, 0);
  });

  it('find a lock that lets two threads in, which none with one preemption shows', async () => {
    const bundled = new Bundled();
    after(() => bundled.close());
    const file = new URL('./fixtures/preempted.ts', import.meta.url);
    const { ran, trace: natural } = await bundled.run(file, 'door', { kind: 'observed' }, true);
    assert.equal(ran.outcome, 'pass');
    const outcomes = async (
      schedules: Iterable<{ readonly grants: readonly number[] }>,
    ): Promise<Set<string>> => {
      const seen = new Set<string>();
      for (const { grants } of schedules) {
        const spec = { kind: 'directed', schedule: { grants, expected: null } } as const;
        seen.add((await bundled.run(file, 'door', spec)).ran.outcome);
      }
      return seen;
    };
    assert.deepEqual(await outcomes(preemptions(natural!, 1000)), new Set(['pass']));
    assert.ok((await outcomes([...twoPreemptions(natural!, 50)].slice(0, 5))).has('fail'));
  });
});

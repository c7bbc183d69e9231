import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import type { CausalLog } from '../../../rescheduler/tokens/loop-holder.ts';
import { lockWords } from '../../../rescheduler/tokens/tasks/lock-words.ts';

/** Writes of one word: who, from what, to what; `if`: only if it was that. */
type Write = readonly [thread: 'A' | 'B', from: number, to: number, how?: 'if'];

/** What each write does to a lock, if the word is one. */
function found(...writes: readonly Write[]): string[] {
  const trace = readStd([writes.map(([thread]) => `${thread}|w(x)|1\n`).join('')]);
  const causalLogs = trace.names.threads.map((name): CausalLog => {
    const own = writes.filter(([thread]) => thread === name);
    return {
      by: own.map(() => 0),
      marks: own.map(([, from, to, how], at) => ({
        ...{ kind: 'changed', at, from: String(from), to: String(to), conditional: how === 'if' },
      })),
    };
  });
  return [...lockWords(trace, causalLogs).values()].map(({ locks }) => (locks ? 'locks' : 'unlocks'));
}

describe('a word locks', () => {
  it('that leaves its first value by exchanges that compare, and comes back by who changed it', () => {
    const both = found(['A', 0, 1, 'if'], ['A', 1, 0], ['B', 0, 2, 'if'], ['B', 2, 0]);
    assert.deepEqual(both, ['locks', 'unlocks', 'locks', 'unlocks']);
    assert.deepEqual(found(['A', 0, 1, 'if']), ['locks']);
  });

  it('never, where it may change otherwise', () => {
    // Another thread gives it back: a flag.
    assert.deepEqual(found(['A', 0, 1, 'if'], ['B', 1, 0]), []);
    // What does not compare would change it in any order.
    assert.deepEqual(found(['A', 0, 1], ['A', 1, 0]), []);
    // A counter.
    assert.deepEqual(found(['A', 0, 1, 'if'], ['B', 1, 2, 'if']), []);
  });
});

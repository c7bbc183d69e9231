import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { THREAD_HARNESSES, type ThreadHarness, threadHarness } from '../../harnesses/api.ts';
import { loadRegistered } from '../../harnesses/load.ts';
import { runThreads } from '../../harnesses/natural-threads.ts';

const FILE = pathToFileURL(`${import.meta.dirname}/fixtures/threads.ts`);

describe('threadHarness()', () => {
  const holder = globalThis as { [THREAD_HARNESSES]?: ThreadHarness[] };
  const valid = {
    name: 'one',
    memory: () => null,
    attach: () => null,
    threads: { a: () => {} },
    check: () => {},
  };
  const wrong: [string, object | undefined, RegExp][] = [
    ['nothing', undefined, /^threadHarness: expected \{ name, memory, attach, threads, check \}$/],
    ['no name', { ...valid, name: '' }, /^threadHarness: `name` must be a non-empty string$/],
    ['no memory', { ...valid, memory: 1 }, /^threadHarness 'one': `memory` must be a function$/],
    ['no threads', { ...valid, threads: {} }, /^threadHarness 'one': no threads;/],
    ['a thread that is none', { ...valid, threads: { a: 1 } }, /^threadHarness 'one': thread 'a' is not a/],
    ['half an expectation', { ...valid, expect: {} }, /^threadHarness 'one': `expect` must say `bug/],
  ];
  for (const [what, spec, message] of wrong)
    it(`refuses ${what} in one line and registers nothing`, () => {
      holder[THREAD_HARNESSES] = [];
      assert.throws(() => threadHarness(spec as never), { name: 'TypeError', message });
      assert.deepEqual(holder[THREAD_HARNESSES], []);
    });
});

describe('free threads', async () => {
  const { tasks, threads } = await loadRegistered(FILE);
  const named = (name: string) => threads.find((harness) => harness.name === name)!;

  it('are registered apart from tasks', () => {
    assert.deepEqual([tasks.length, threads.length], [0, 3]);
  });
  it('share memory and are checked at the end', () => runThreads(named('sum'), FILE));
  it('fail as a body fails', () => assert.rejects(runThreads(named('throws'), FILE), /^Error: from b$/));
  it('are ended when they wait for ever', () =>
    assert.rejects(runThreads(named('waits'), FILE, 300), /the threads did not end within 0.3 s/));
});

/** Several processes, some of them killed. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore, type Store } from '../../../data/store/index.ts';
import { folder, makeCutPoint, makeSchedule, makeTrace, newTest, random } from './support.ts';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));

function start(path: string, prefix: string, tests: number): { child: ChildProcess; said: () => string[] } {
  const child = spawn(process.execPath, [WRITER, path, prefix, String(tests)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout!.on('data', (data) => (text += data));
  child.stderr!.on('data', (data) => process.stderr.write(data));
  // The last line may have been cut off by the kill.
  return { child, said: () => text.split('\n').slice(0, -1) };
}

/** Everything that was said is there, and nothing is there by halves. */
function check(store: Store, said: readonly string[]): void {
  for (const line of said) {
    const [what, id, detail] = line.split(' ') as [string, string, string];
    if (what === 'trace')
      assert.deepEqual(store.getTrace(id), makeTrace(500 + Number(detail), Number(detail)));
    if (what === 'cut') assert.deepEqual(store.getCutPoints(id), [makeCutPoint(`c-${id}`)]);
    if (what === 'planned') {
      const found = store.findSchedules(detail)[0]!;
      assert.deepEqual(found.schedule, makeSchedule(detail, `c-${id}`));
      assert.equal(found.attempts, 1);
      // Either it came back, or it is known to be interrupted.
      assert.equal(store.runs(id, detail).length, found.interrupted ? 0 : 1);
    }
    if (what === 'judged') assert.equal(store.findSchedules(detail)[0]!.verdict, 'passed');
  }
  for (const { id } of store.tests()) {
    const trace = store.getTrace(id);
    if (trace) assert.deepEqual(trace, makeTrace(trace.events.length, trace.events.length - 500));
    else assert.ok(store.testsToDo('record').some((each) => each.id === id));
  }
}

test('four processes make one store and record into it at once', async () => {
  const path = join(folder(), '.unweave', 'trace.db');
  const writers = ['a', 'b', 'c', 'd'].map((prefix) => start(path, prefix, 8));
  const ends = await Promise.all(writers.map(({ child }) => once(child, 'close')));
  assert.deepEqual(
    ends.map(([code]) => code),
    [0, 0, 0, 0],
  );
  using store = openStore(path, { readonly: true });
  for (const { said } of writers) check(store, said());
  assert.equal(store.tests().length, 32);
  assert.equal(store.trusted, true);
});

test('a writer that is killed at any moment leaves a store that holds all that it had committed', async () => {
  const path = join(folder(), '.unweave', 'trace.db');
  const next = random(11);
  let lines = 0;
  for (let round = 0; round < 14; round++) {
    const { child, said } = start(path, `r${round}-`, 1000);
    const target = next(60);
    // Some are killed while they start, the others in the middle of writing.
    if (round < 4)
      await once(child.stdout!, 'readable').then(
        () => {},
        () => {},
      );
    else while (said().length < target) await once(child.stdout!, 'data');
    child.kill('SIGKILL');
    const [, signal] = await once(child, 'close');
    assert.equal(signal, 'SIGKILL');
    lines += said().length;
    using store = openStore(path);
    assert.equal(store['connection'].db.pragma('integrity_check', { simple: true }), 'ok');
    check(store, said());
    store.putTest(newTest(`after${round}`));
  }
  assert.ok(lines > 100);
});

test('a process that is killed while it makes the store leaves one that can be made', async () => {
  for (let round = 0; round < 10; round++) {
    const path = join(folder(), '.unweave', 'trace.db');
    const { child } = start(path, 'a', 1);
    const ended = once(child, 'close');
    while (!existsSync(path) && child.exitCode === null) await new Promise((done) => setImmediate(done));
    for (let spin = 0; spin < round; spin++) await new Promise((done) => setImmediate(done));
    child.kill('SIGKILL');
    await ended;
    using store = openStore(path, { create: true });
    store.putTest(newTest('x'));
    assert.ok(store.tests().some(({ id }) => id === 'x'));
    assert.equal(store.trusted, true);
  }
});

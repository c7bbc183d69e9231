import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOthers, Turns } from '../../cli/stages/turns.ts';
import { EventKind, type Trace } from '../../data/trace.ts';

const trace = (name: string, kind: number): Trace =>
  ({
    entities: [{ id: 0, name, kind: 'resource' }],
    events: { length: 1, kind: [kind], object: [0] },
  }) as unknown as Trace;

test('what other runs see: files of the project and ports of its choice, when they are written', () => {
  const of = (name: string, kind: number = EventKind.Write) => changesOthers(trace(name, kind));
  assert.deepEqual(
    ['fs:test/random-file (content)', 'fs:/var/x', 'port 3000'].map((name) => of(name)),
    [true, true, true],
  );
  assert.deepEqual(
    ['fs:*/x', 'fs:$TMPDIR/x', 'port #1'].map((name) => of(name)),
    [false, false, false],
  );
  assert.equal(of('fs:package.json', EventKind.Read), false);
});

test('tests of one file take turns, those of another begin at once, and one that fails holds nobody up', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const a = turns.take('a', async () => {
    seen.push('a begins');
    await first.promise;
    seen.push('a ends');
    throw new Error('failed');
  });
  const b = turns.take('a', async () => seen.push('b'));
  await turns.take('other', async () => seen.push('other'));
  first.resolve();
  await assert.rejects(a, /failed/);
  await b;
  assert.deepEqual(seen, ['a begins', 'other', 'a ends', 'b']);
});

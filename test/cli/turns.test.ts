import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { groupsOf, hasHooks, Turns, turnsOf, usesOf } from '../../cli/stages/turns.ts';
import { EventKind, type Trace } from '../../data/trace.ts';
import { temporary } from '../temporary.ts';

const trace = (name: string, kind: number): Trace =>
  ({
    entities: [{ id: 0, name, kind: 'resource' }],
    events: { length: 1, kind: [kind], object: [0] },
  }) as unknown as Trace;

test('what other runs see: files of the project and ports of its choice', () => {
  const writes = (name: string) => [...usesOf(trace(name, EventKind.Write)).writes];
  for (const name of ['fs:test/random-file (content)', 'fs:/var/x', 'port 3000'])
    assert.deepEqual(writes(name), [name]);
  for (const name of ['fs:*/x', 'fs:$TMPDIR/x', 'port #1']) assert.deepEqual(writes(name), []);
  const read = usesOf(trace('fs:package.json', EventKind.Read));
  assert.deepEqual([[...read.reads], [...read.writes]], [['fs:package.json'], []]);
});

test('files whose tests meet in what one of them changes are a group; who changes nothing has none', () => {
  const of = (file: string, reads: string[], writes: string[]) => ({
    file,
    uses: { reads: new Set(reads), writes: new Set(writes) },
  });
  const groups = groupsOf([
    of('a', [], ['x', 'd (entries)']),
    of('b', [], ['y', 'd (entries)']),
    of('c', ['y'], []),
    of('d', ['z'], ['l (entries)']),
    of('e', ['l (entries)'], []),
    of('f', ['z'], []),
    of('g', [], ['y']),
  ]);
  const together = (one: string, other: string) => groups.get(one) === groups.get(other);
  assert.deepEqual([...groups.keys()].sort(), ['a', 'b', 'c', 'd', 'e', 'g']);
  assert.deepEqual([together('b', 'c'), together('b', 'g'), together('d', 'e')], [true, true, true]);
  assert.deepEqual([together('a', 'b'), together('a', 'd'), together('b', 'd')], [false, false, false]);
});

test('tests that meet take turns, with them all those of files with hooks, and no others', () => {
  const of = (id: string, reads: string[], writes: string[]) => ({
    id,
    file: id.slice(0, 1),
    uses: { reads: new Set(reads), writes: new Set(writes) },
  });
  const tests = [
    of('a1', [], ['x']),
    of('a2', ['x'], []),
    of('a3', ['z'], []),
    of('b1', ['x'], []),
    of('b2', [], []),
  ];
  const inTurn = (hooks: string) => [...turnsOf(tests, (file) => file === hooks).keys()];
  assert.deepEqual(inTurn(''), ['a1', 'a2', 'b1']);
  assert.deepEqual(inTurn('a'), ['a1', 'a2', 'a3', 'b1']);
  assert.deepEqual(inTurn('b'), ['a1', 'a2', 'b1', 'b2']);
});

test('what a file opens as it is loaded keeps apart all tests whose processes load it', () => {
  const of = (id: string, reads: string[], loadedWith?: string) => ({
    ...{ id, file: id.slice(0, 1), loadedWith },
    uses: { reads: new Set(reads), writes: new Set<string>() },
  });
  const tests = [
    of('a1', ['port 3000'], 'mocha'),
    of('b1', [], 'mocha'),
    of('c1', [], 'mocha --config other'),
    of('d1', []),
  ];
  assert.deepEqual(
    [...turnsOf(tests, () => false)],
    [
      ['a1', 'mocha'],
      ['b1', 'mocha'],
    ],
  );
});

test('whoever connects to a port of its choice opens it around each test, and so do the others of its file', () => {
  const of = (id: string, reads: string[], writes: string[]) => ({
    id,
    file: id.slice(0, 1),
    uses: { reads: new Set(reads), writes: new Set(writes) },
  });
  const tests = [
    of('a1', ['port 3000'], []),
    of('a2', [], []),
    of('b1', ['port 3000'], []),
    of('c1', ['port 4000'], ['port 4000']),
    of('c2', [], []),
    of('d1', ['port 40513'], []),
  ];
  const turns = turnsOf(tests, () => false);
  assert.deepEqual([...turns.keys()], ['a1', 'a2', 'b1', 'c1']);
  assert.deepEqual([turns.get('a1') === turns.get('b1'), turns.get('a1') === turns.get('c1')], [true, false]);
});

test('hooks of a file are known by its text', () => {
  const dir = temporary('hooks');
  const file = join(dir, 'x.js');
  const rows: [string, boolean][] = [
    ['beforeEach(() => {})', true],
    ['test.before(() => {})', true],
    ['after (() => {})', true],
    ['suiteSetup(() => {})', true],
    ["test('x', (t) => { t.after(() => {}); })", false],
    ['hereafter(1); before = 2', false],
  ];
  for (const [text, has] of rows) {
    writeFileSync(file, text);
    assert.equal(hasHooks(file), has, text);
  }
  assert.equal(hasHooks(join(dir, 'gone.js')), true);
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

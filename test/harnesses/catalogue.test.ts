import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Expectation, Pattern } from '../../harnesses/api.ts';
import { loadAll } from './all.ts';

const PATTERNS: readonly Pattern[] = ['RWR', 'WRW', 'RWW', 'WWR', 'WWW'];
const loaded = await loadAll();
const inFolder = (folder: string) => loaded.filter((file) => file.folder === folder);
const everyHarness = loaded.flatMap(({ harnesses }) => harnesses);

describe('the table of expectations', () => {
  it('has an entry for every harness, and every name is there once', () => {
    for (const { name, expect } of everyHarness) assert.ok(expect, name);
    const names = everyHarness.map(({ name }) => name);
    assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted());
  });

  it('says of each bug what it is: a deadlock, or a pattern on an entity', () => {
    for (const { name, expect } of everyHarness) {
      const { bug, deadlock, pattern, entity, entityMatch } = expect as Expectation;
      const named = entity !== undefined || entityMatch !== undefined;
      if (!bug) assert.deepEqual([deadlock, pattern, named], [undefined, undefined, false], name);
      else if (deadlock) assert.deepEqual([pattern, named], [undefined, false], name);
      else {
        assert.ok(named, `${name} names no entity`);
        assert.ok(pattern && [pattern].flat().every((one) => [...PATTERNS, 'RRW'].includes(one)), name);
      }
    }
  });

  it('has entity expressions that compile and are not satisfied by just anything', () => {
    for (const { name, expect } of everyHarness)
      if (expect?.entityMatch !== undefined) assert.doesNotMatch('', new RegExp(expect.entityMatch), name);
  });
});

describe('the catalogue', () => {
  it('consists of files with a bad and an ok twin with the same tasks', () => {
    const files = inFolder('catalogue');
    assert.ok(files.length >= 40, `${files.length} files`);
    for (const { file, harnesses } of files) {
      const name = file.replace(/^.*\/|\.ts$/g, '');
      assert.deepEqual(
        harnesses.map((harness) => [harness.name, harness.expect?.bug]),
        [
          [`${name}/bad`, true],
          [`${name}/ok`, false],
        ],
      );
      const [bad, ok] = harnesses;
      assert.deepEqual(Object.keys(bad!.tasks), Object.keys(ok!.tasks));
    }
  });

  it('has every pattern as the plainest of at least one program, and a deadlock', () => {
    const expects = inFolder('catalogue').map(({ harnesses }) => harnesses[0]!.expect!);
    const plainest = new Set(expects.map(({ pattern }) => [pattern].flat()[0]));
    for (const pattern of PATTERNS) assert.ok(plainest.has(pattern), pattern);
    assert.ok(expects.some(({ deadlock }) => deadlock));
  });

  it('has short programs: two tasks each', () => {
    for (const { harnesses } of inFolder('catalogue'))
      for (const { name, tasks } of harnesses) assert.equal(Object.keys(tasks).length, 2, name);
  });
});

describe('the other folders', () => {
  it('safe/ holds at least twelve programs, all without a bug', () => {
    const safe = inFolder('safe').flatMap(({ harnesses }) => harnesses);
    assert.ok(safe.length >= 12);
    for (const { name, tasks, expect } of safe) {
      assert.equal(expect?.bug, false, name);
      assert.ok(Object.keys(tasks).length >= 2, name);
    }
  });

  for (const folder of ['demo', 'ftp', 'packages'])
    it(`${folder}/ pairs each bug with a correct twin`, () => {
      const files = inFolder(folder);
      assert.ok(files.length > 0);
      for (const { file, harnesses } of files)
        assert.deepEqual(
          harnesses.map(({ expect }) => expect?.bug),
          [true, false],
          file,
        );
    });

  it('ftp/ has every pattern, one for each of five fields', () => {
    const bad = inFolder('ftp').map(({ harnesses }) => harnesses[0]!.expect!);
    assert.deepEqual(bad.map(({ pattern }) => pattern).toSorted(), PATTERNS.toSorted());
    assert.equal(new Set(bad.map(({ entity }) => entity?.replace(/.*#/, ''))).size, 5);
  });

  it('the needle lies among at least fifty other tasks', () => {
    const [needle] = inFolder('harnesses').flatMap(({ harnesses }) => harnesses);
    assert.equal(needle?.expect?.bug, true);
    assert.ok(Object.keys(needle!.tasks).length >= 52);
  });
});

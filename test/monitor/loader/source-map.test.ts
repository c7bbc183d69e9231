import assert from 'node:assert/strict';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { test } from 'node:test';
import { applyInsertions } from '../../../monitor/instrument/edits.ts';
import { placedBy, putsOf, shifted } from '../../../monitor/loader/source-map.ts';

/** Each letter of the two lines of the text is at its place; the file has them on lines of their own. */
const TEXT = 'abcdef\nghijkl';
const MAPPINGS = 'AAAA,CACA,CACA,CACA,CACA,CACA;AACA,CACA,CACA,CACA,CACA,CACA';

test('what is put into a text moves the columns of its map, and nothing else', () => {
  const insertions = [0, 2, 2, 5, 8, 12].map((at) => ({ at, text: '<'.repeat(at === 2 ? 40 : 3) }));
  const { code, inserted } = applyInsertions(TEXT, insertions as never, 0);
  const payload = (mappings: string): SourceMapPayload =>
    ({ version: 3, sources: ['a'], names: [], mappings }) as unknown as SourceMapPayload;
  const map = new SourceMap(payload(shifted(MAPPINGS, putsOf(code, inserted))));
  for (const [row, line] of code.split('\n').entries())
    for (const [column, letter] of [...line].entries()) {
      if (letter === '<') continue;
      const found = map.findEntry(row, column) as { originalLine: number };
      assert.equal(found.originalLine, letter.charCodeAt(0) - 97, letter);
    }
});

test('a text into which nothing was put keeps its map', () => {
  assert.equal(shifted(MAPPINGS, putsOf(TEXT, new Int32Array())), MAPPINGS);
});

test('a text that was made of a compiled file is told in what that was made of', () => {
  const site = {
    file: 'dist/a.js',
    line: 1,
    column: 3,
    text: '',
    fn: '',
    key: null,
    access: null,
    atomic: null,
  };
  const place = (source: string) => {
    const payload = {
      version: 3,
      sources: [source],
      names: [],
      mappings: MAPPINGS,
    } as unknown as SourceMapPayload;
    const { file, line, made } = placedBy(site, new SourceMap(payload), '/nowhere/dist/a.js', '/nowhere');
    return { file, line, made };
  };
  const itself = { file: 'dist/a.js', line: 3, made: undefined };
  for (const name of ['a.js', '/nowhere/dist/a.js', 'file:///nowhere/dist/a.js', 'a.js?x=1', 'src/a.js'])
    assert.deepEqual(place(name), itself, name);
  const made = { file: 'dist/a.js', line: 1, column: 3 };
  for (const name of ['../src/a.ts', '/nowhere/src/a.ts'])
    assert.deepEqual(place(name), { file: 'src/a.ts', line: 3, made }, name);
});

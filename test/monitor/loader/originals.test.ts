/** Places of compiled texts are told in what those were made of; what is wrong with a map costs the mapping alone. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { defaultConfig } from '../../../monitor/loader/index.ts';
import { mapStamp, namedMap, placerOf } from '../../../monitor/loader/originals.ts';
import { ThreadLoader } from '../../../monitor/threads/load.ts';
import { placeOf } from '../../../monitor/threads/trace.ts';
import { temporary } from '../../temporary.ts';
import { compiled, inline } from './compile.ts';

const TEXT = `interface A {
  a: number;
}
export class B implements A {
  a: number = 1;
  add(by: number): void {
    this.a += by;
  }
}
`;
const { code, map } = compiled(TEXT);
const LINES = code.split('\n');
const line = LINES.findIndex((each) => each.includes('this.a +='));
const column = LINES[line]!.indexOf('this');

const cwd = temporary('unweave-maps');
mkdirSync(join(cwd, 'dist'));
const PATH = join(cwd, 'dist', 'b.js');
const at = (text: string) => placerOf(PATH, text, cwd)?.(line + 1, column + 1) ?? null;
const TOLD = { file: 'src/b.ts', line: 7, column: 5 };
const sources = ['../src/b.ts'];

test('maps of every kind', () => {
  writeFileSync(join(cwd, 'dist', 'b.js.map'), JSON.stringify({ ...map, sources }));
  writeFileSync(join(cwd, 'dist', 'guarded.map'), `)]}'\n${JSON.stringify({ ...map, sources })}`);
  const section = { offset: { line: 0, column: 0 }, map: { ...map, sources } };
  const rows: Record<string, string> = {
    'beside it': '\n//# sourceMappingURL=b.js.map',
    'by its whole URL': `\n//# sourceMappingURL=${pathToFileURL(join(cwd, 'dist/b.js.map')).href}`,
    'as in the first drafts': '\n//@ sourceMappingURL=b.js.map\n',
    'in a comment that ends': '\n/*# sourceMappingURL=b.js.map */\n',
    'guarded against browsers': '\n//# sourceMappingURL=guarded.map',
    within: inline({ ...map, sources }),
    'within, as it is': `\n//# sourceMappingURL=data:application/json,${encodeURIComponent(JSON.stringify({ ...map, sources }))}`,
    'with a root': inline({ ...map, sourceRoot: '../src', sources: ['b.ts'] }),
    'with a root that is a URL': inline({
      ...map,
      sourceRoot: pathToFileURL(join(cwd, 'src')).href,
      sources: ['b.ts'],
    }),
    'of a bundler': inline({ ...map, sources: ['webpack://shop/./src/b.ts'] }),
    'of many sources': inline({ ...map, sources: [...sources, '../src/c.ts', null] }),
    'of maps side by side': inline({ version: 3, sections: [section] }),
  };
  for (const [name, comment] of Object.entries(rows)) assert.deepEqual(at(code + comment), TOLD, name);
  assert.deepEqual(
    at(`${code}//# sourceMappingURL=old.map\n${inline({ ...map, sources })}`),
    TOLD,
    'the last one counts',
  );
});

test('a map that is missing, broken or hostile costs the mapping alone', () => {
  const huge = { version: 3, sections: [{ offset: { line: 4e9, column: 0 }, map: { ...map, sources } }] };
  const far = { version: 3, sections: [{ offset: { line: 9e6, column: 0 }, map: { ...map, sources } }] };
  const deep = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: huge }] };
  const rows: Record<string, string> = {
    none: '',
    missing: '\n//# sourceMappingURL=nowhere.map',
    'a folder': '\n//# sourceMappingURL=.',
    endless: '\n//# sourceMappingURL=/dev/zero',
    elsewhere: '\n//# sourceMappingURL=https://example.com/b.js.map',
    'no URL': '\n//# sourceMappingURL=http://[',
    'no JSON': '\n//# sourceMappingURL=data:application/json,{',
    'no object': '\n//# sourceMappingURL=data:application/json,7',
    'bad escapes': '\n//# sourceMappingURL=data:application/json,%',
    'another type': `\n//# sourceMappingURL=data:text/plain,${encodeURIComponent(JSON.stringify({ ...map, sources }))}`,
    'no mappings': inline({ version: 3, sources }),
    'mappings that are none': inline({ ...map, sources, mappings: { length: 1 } }),
    'mappings of other letters': inline({ ...map, sources, mappings: 'é€;"!",\u0000;;;;;;;;' }),
    'mappings that go on and on': inline({ ...map, sources, mappings: 'g'.repeat(10_000) }),
    'sources that are none': inline({ ...map, sources: 'src/b.ts' }),
    'sources that are numbers': inline({ ...map, sources: [7] }),
    'a source that is nothing': inline({ ...map, sources: [null] }),
    'no sources': inline({ ...map, sources: [] }),
    'a source of the net': inline({ ...map, sources: ['https://example.com/src/b.ts'] }),
    'a source that moves the cursor': inline({ ...map, sources: ['../src/\u001b[2Jb.ts'] }),
    'a source that is a device': inline({ ...map, sources: ['/dev/zero'] }),
    'a source that is no file of a program': inline({ ...map, sources: ['../../../../../../etc/passwd'] }),
    'a source without end': inline({ ...map, sources: [`../src/${'b'.repeat(10_000)}.ts`] }),
    'a root that is none': inline({ ...map, sources: ['%00.ts'], sourceRoot: 'file://%00' }),
    'sections far away': inline(huge),
    'sections behind its end': inline(far),
    'sections in sections': inline(deep),
    'sections of nothing': inline({ version: 3, sections: [null, { offset: null }, 7] }),
  };
  for (const [name, comment] of Object.entries(rows)) {
    assert.doesNotThrow(() => mapStamp(PATH, code + comment), name);
    assert.equal(at(code + comment), null, name);
  }
  const lines = { ...map, sources, mappings: map.mappings.replaceAll(/A(?=[A-Z]A)/g, '//////D') };
  const told = at(code + inline(lines));
  assert.ok(told === null || (told.line > 0 && told.column > 0), 'numbers that overflow');
});

test('what only looks like the name of a map is none', () => {
  for (const text of [
    `const s = '//# sourceMappingURL=b.js.map';`,
    'const s = `\n//# sourceMappingURL=data:application/json;base64,`;',
    '//# sourceMappingURL=',
    'sourceMappingURL=b.js.map',
  ])
    assert.equal(namedMap(text), null, text);
});

test('threads are told like event loops', () => {
  const loader = new ThreadLoader(defaultConfig(cwd), { points: () => 0 } as never);
  const text = compiled(
    'interface A {\n  a: 1;\n}\nexport const add = (a: Int32Array): void => void a[0]!++;\n',
  );
  loader.transform(text.code + inline({ ...text.map, sources }), PATH, 'module');
  const places = new Set(loader.sites.map((site) => placeOf(site).replace(/:\d+$/, '')));
  assert.deepEqual([...places], ['src/b.ts:4']);
  assert.deepEqual(new Set(loader.sites.map((site) => site?.made?.file)), new Set(['dist/b.js']));
});

/** A name means one thing: no two files declare a type of the same name. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from '@babel/parser';

const ROOT = join(import.meta.dirname, '../..');
const ROOMS = '{cli,data,monitor,predictor,report,rescheduler}/**/*.ts';

const DECLARES = new Set([
  'ClassDeclaration',
  'TSEnumDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
]);

/** The types that a file declares at its top. */
function typesOf(source: string): string[] {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  return program.body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return declared && DECLARES.has(declared.type) && 'id' in declared && declared.id?.type === 'Identifier'
      ? [declared.id.name]
      : [];
  });
}

/** Names that several files declare, with those files. */
function repeated(sources: ReadonlyMap<string, string>): [name: string, ...files: string[]][] {
  const files = new Map<string, Set<string>>();
  for (const [file, source] of sources)
    for (const name of typesOf(source)) files.set(name, (files.get(name) ?? new Set()).add(file));
  return [...files].flatMap(([name, of]) => (of.size > 1 ? [[name, ...of] as [string, ...string[]]] : []));
}

test('no type has a name that another file gives to another one', () => {
  // The nodes of Babel have Babel's names; whoever uses them says `t.`.
  const files = globSync(ROOMS, { cwd: ROOT }).filter((file) => file !== 'monitor/instrument/ast.ts');
  assert.ok(files.length > 500);
  const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  assert.deepEqual(repeated(sources), []);
});

test('a name that is declared twice is found', () => {
  const sources = new Map([
    ['a.ts', 'interface Place { x: number } type Own = 1;'],
    ['b.ts', 'export class Place {} const Own = 2; function f() { type Own = 3; }'],
    ['c.ts', "import type { Place } from './a.ts'; export type { Place };"],
  ]);
  assert.deepEqual(repeated(sources), [['Place', 'a.ts', 'b.ts']]);
});

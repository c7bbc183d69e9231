/** Who imports whom, as the table of docs/architecture.md allows it. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from '@babel/parser';

const ROOT = join(import.meta.dirname, '../..');

interface Room {
  readonly folder: string;
  readonly mayImport: readonly string[];
}

const inBackticks = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);

/** The rows of the table: a folder, and the folders and files that it may import beside its own. */
function roomsOf(markdown: string): Room[] {
  return markdown.split('\n').flatMap((line) => {
    const [, folder = '', , mayImport = ''] = line.split('|');
    const [name] = inBackticks(folder);
    return name?.endsWith('/') ? [{ folder: name, mayImport: inBackticks(mayImport) }] : [];
  });
}

/** The files that a source imports by a relative path, from the root. */
function importsOf(file: string, source: string): string[] {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  return program.body.flatMap((statement) => {
    const from = 'source' in statement ? statement.source?.value : undefined;
    return from?.startsWith('.') ? [join(dirname(file), from)] : [];
  });
}

/** What a file imports and may not. */
function forbidden(rooms: readonly Room[], file: string, source: string): string[] {
  const room = rooms
    .filter(({ folder }) => file.startsWith(folder))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0];
  const allowed = room ? [room.folder, ...room.mayImport] : [];
  return importsOf(file, source).filter((target) => !allowed.some((each) => target.startsWith(each)));
}

const rooms = roomsOf(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));

describe('each folder imports what the table of docs/architecture.md allows:', () => {
  const tops = rooms.map(({ folder }) => folder).filter((folder) => folder.split('/').length === 2);
  for (const top of tops)
    test(top, () => {
      const files = globSync(`${top}**/*.{ts,cts,mts}`, { cwd: ROOT, exclude: ['**/node_modules'] });
      assert.ok(files.length > 0, `${top} is empty`);
      const found = files.flatMap((file) =>
        forbidden(rooms, file, readFileSync(join(ROOT, file), 'utf8')).map((target) => `${file} → ${target}`),
      );
      assert.deepEqual(found, []);
    });
});

test('an import that is not allowed is found', () => {
  const rows: [string, string, string[]][] = [
    ['data/trace.ts', `import { x } from '../cli/main.ts';`, ['cli/main.ts']],
    ['data/trace.ts', `import type { x } from './run.ts';`, []],
    ['monitor/host/fs.ts', `export * from '../../predictor/flip.ts';`, ['predictor/flip.ts']],
    ['monitor/host/fs.ts', `import '../runtime/runtime.ts'; import '../../data/run.ts';`, []],
    ['rescheduler/strategies/new.ts', `import { Run } from '../gate/run.ts';`, ['rescheduler/gate/run.ts']],
    ['report/rows.ts', `import { x } from '../predictor/flip.ts';`, ['predictor/flip.ts']],
  ];
  for (const [file, source, expected] of rows) assert.deepEqual(forbidden(rooms, file, source), expected);
});

/** The comparison itself: it tells what ends alike from what does not, in every kind of test. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporary } from '../temporary.ts';

const root = temporary('conformance-test');

const head = (lines: string) => `/*---\n${lines}\n---*/\n`;
const FILES = {
  'harness/assert.js': 'function assert(ok) { if (!ok) throw new Test262Error("assertion") }',
  'harness/sta.js': 'function Test262Error(message) { this.message = message }',
  'harness/doneprintHandle.js': 'function $DONE(e) { print(e ? "failed" : "Test262:AsyncTestComplete") }',
  'harness/more.js': 'var more = 5;',
  'test/language/sync.js': `${head('includes: [more.js]')}var o = { k: more }; o.k++; assert(o.k === 6 && this !== o);`,
  'test/language/sloppy.js': `${head('flags: [noStrict]')}o = { k: 1 }; with (o) assert(k === 1);`,
  'test/language/parse.js': `${head('negative:\n  phase: parse\n  type: SyntaxError')}o.k = ;`,
  'test/language/later.js': `${head('flags:\n  - async')}Promise.resolve({ k: 1 }).then((o) => $DONE(o.k !== 1));`,
  'test/language/module.js': `${head('flags: [module, async]')}import * as ns from './dep_FIXTURE.js';
    const again = await import('./dep_FIXTURE.js'); ns.o.k++; $DONE(again.o.k !== 2);`,
  'test/language/dep_FIXTURE.js': 'export const o = { k: 1 };',
  // The one thing that programs can see: columns of stack traces.
  'test/language/column.js': `${head('flags: [onlyStrict]')}var o = {}; o.f = [o.f, [o.f, [o.f]]]; var column = /:(\\d+)\\)?$/.exec(new Error().stack.split('\\n')[1])[1]; assert(column < 100);`,
};

function compare(...options: string[]): { lines: string[]; status: number | null } {
  const main = new URL('main.ts', import.meta.url).pathname;
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...options], { encoding: 'utf8' });
  return { lines: `${stdout}${stderr}`.trimEnd().split('\n'), status };
}

test('programs that end alike, and one that does not', () => {
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const { lines, status } = compare(root);
  assert.deepEqual(lines, [
    'column.js (strict)',
    '  plain: done',
    '  ours:  run: Test262Error assertion',
    '9 ran, 8 the same, 1 differ, 0 not linked',
  ]);
  assert.equal(status, 1);
});

test('modules that are linked by us, and types', () => {
  assert.deepEqual(compare(root, '--linked'), {
    lines: ['1 ran, 1 the same, 0 differ, 0 not linked'],
    status: 0,
  });
  const { lines } = compare(root, '--typescript', '--only', 'sync');
  assert.deepEqual(lines, ['2 ran, 2 the same, 0 differ, 0 not linked']);
});

test('a folder that is no copy of test262', () => {
  assert.deepEqual(compare(join(root, 'test')), {
    lines: ['conformance: give the folder of a copy of https://github.com/tc39/test262'],
    status: 2,
  });
});

/** The text of an exported test: what it loads fits how the original is loaded, and no title gets out of its quotes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '@babel/parser';
import { exportedTest, type ModuleStyle, moduleStyle } from '../../../cli/project/exported-test.ts';
import { RUNNER_NAMES, runnerRow } from '../../../data/runners.ts';
import type { SubjectSource } from '../../../rescheduler/subjects/source.ts';

const sourceOf = (...execArgv: string[]): SubjectSource => ({
  ...{ kind: 'jest', file: '/p/a.test.js', name: 'a', ordinal: 0 },
  recipe: { execPath: 'node', execArgv, argv: ['jest'], cwd: '/p', runner: false },
});
const IMPORT = "import { a } from './a.js';";
const REQUIRE = "const { a } = require('./a.js');";

test('the module system is that of the original', () => {
  const rows: readonly (readonly [ModuleStyle, string, string, boolean, string, SubjectSource])[] = [
    ['module', 'a.test.ts', IMPORT, false, 'node-test', sourceOf()],
    ['module', 'a.test.mjs', '', false, 'mocha', sourceOf()],
    ['module', 'a.test.js', 'test();', true, 'node-test', sourceOf()],
    ['commonjs', 'a.test.js', REQUIRE, false, 'mocha', sourceOf()],
    ['commonjs', 'a.test.cjs', REQUIRE, true, 'node-test', sourceOf()],
    ['module', 'a.test.cjs', 'test();', false, 'vitest', sourceOf()],
    ['transpiled', 'a.test.ts', IMPORT, true, 'jest', sourceOf()],
    ['commonjs', 'a.test.js', REQUIRE, false, 'jest', sourceOf()],
    ['module', 'a.test.js', IMPORT, true, 'jest', sourceOf('--experimental-vm-modules')],
  ];
  for (const [style, file, text, isModule, kind, source] of rows)
    assert.equal(moduleStyle(file, text, isModule, kind, source), style, `${file} of ${kind}: ${text}`);
});

const MODULE = ['module'] as const;
const STYLES = ['module', 'commonjs', 'transpiled'] as const;

test('a title is one literal, whatever is in it', () => {
  const title = `'"\`\${x}*/</script>\\ \u2028`;
  for (const runner of RUNNER_NAMES)
    for (const style of runner === 'vitest' ? MODULE : STYLES) {
      const text = exportedTest({ runner: runnerRow(runner), style, title, order: "it's.order.json" });
      const { program } = parse(text, { sourceType: style === 'commonjs' ? 'script' : 'module' });
      const calls = program.body.filter(({ type }) => type === 'ExpressionStatement');
      assert.equal(calls.length, runner === 'uvu' ? 2 : 1, text);
      assert.ok(JSON.stringify(program).includes(JSON.stringify(title.replace(/\s+/g, ' '))), text);
      const others = program.body.filter(({ type }) => type !== 'ExpressionStatement');
      assert.ok(others.every(({ type }) => /^(Import|Variable)Declaration$/.test(type)));
    }
});

test('of calls that overlap each is a literal, and what came of them stays in comments', () => {
  const overlap = {
    ...{
      from: './a.js',
      spec: "it's */",
      start: 'apart' as const,
      sequel: null,
      told: 'this run\u2028x\r\nwhile (true);',
    },
    calls: ['set("a", \'b\')', 'get("\\")', 'end("a")'],
  };
  for (const style of ['module', 'commonjs'] as const) {
    const text = exportedTest({
      runner: runnerRow('node-test'),
      style,
      title: 'a',
      order: 'a.order.json',
      overlap,
    });
    const { program } = parse(text, { sourceType: style === 'commonjs' ? 'script' : 'module' });
    assert.equal(program.body.filter(({ type }) => type === 'ExpressionStatement').length, 1, text);
    assert.ok(
      program.body.every(({ type }) => /^(Import|Variable|Expression)/.test(type)),
      text,
    );
    assert.match(text, / {4}"set\(\\"a\\", 'b'\)",\n.* \/\/ 1 ms later\n {4}'end\("a"\)', \/\/ 2 ms later\n/);
  }
});

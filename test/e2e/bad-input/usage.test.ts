/** What the user asked for is not there or cannot be understood: exit code 2. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertOneLine, project, run } from '../batch/command.ts';

interface Case {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly line: RegExp;
}

const CASES: readonly Case[] = [
  { name: 'a missing file', args: ['run', 'none.ts'], line: /none\.ts: no such file or folder/ },
  {
    name: 'a folder without sources',
    files: { 'docs/a.md': '' },
    args: ['run', 'docs'],
    line: /no source files in docs/,
  },
  {
    name: 'a file without a harness',
    files: { 'a.js': 'export const a = 1;\n' },
    args: ['run', 'a.js'],
    line: /a\.js: no harness/,
  },
  {
    name: 'a configuration that is no JSON',
    files: { 'unweave.config.json': '{ "jobs": ' },
    args: ['run', '--', 'node', '--test'],
    line: /unweave\.config\.json/,
  },
  {
    name: 'a configuration with a wrong value',
    files: { 'unweave.config.json': '{ "jobs": "two" }' },
    args: ['run', '--', 'node', '--test'],
    line: /unweave\.config\.json.*jobs/,
  },
  {
    name: 'a configuration with an unknown key',
    files: { 'unweave.config.json': '{ "maxSchedule": 5 }' },
    args: ['run', '--', 'node', '--test'],
    line: /unweave\.config\.json.*maxSchedule/,
  },
  { name: 'a configuration that is missing', args: ['run', '--config', 'c.json', 'a.js'], line: /c\.json/ },
  { name: 'nothing to run', args: ['run'], line: /nothing to run/ },
  { name: 'an unknown option', args: ['run', '--fast', 'a.js'], line: /--fast/ },
  {
    name: 'a test command that does not exist',
    args: ['run', '--', 'no-such-command-here', '--all'],
    line: /cannot start 'no-such-command-here': ENOENT/,
  },
  { name: 'a store to look into that is missing', args: ['inspect'], line: /no such store/ },
  { name: 'a bug to replay without a store', args: ['replay', 'b1'], line: /no such store/ },
];

for (const { name, files = {}, args, line } of CASES)
  test(name, async (t) => {
    const cwd = project(t, files);
    assertOneLine(await run(cwd, args), 2, line);
  });

test('a command line that cannot work makes no store', async (t) => {
  const cwd = project(t, { 'unweave.config.json': '[]' });
  assertOneLine(await run(cwd, ['run', 'a.js']), 2, /unweave\.config\.json/);
  assert.equal(existsSync(join(cwd, '.unweave')), false);
});

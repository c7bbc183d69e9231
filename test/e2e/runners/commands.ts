/** How the runners that are installed here are called in a project whose `node_modules` are ours. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MORE } from '../../extent.ts';
import { project } from '../batch/command.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const REQUIRE = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;

interface RunnerCommand {
  readonly name: string;
  /** Of its tests, which are CommonJS by what they are written in. */
  readonly extension: 'cjs' | 'mjs';
  /** What a file of tests begins with, so that the globals of a Mocha test, and `test`, are there. */
  readonly head: string;
  readonly command: readonly string[];
  /** Which way to leave out other tests is always run: the others with `UNWEAVE_TESTS=all`. */
  readonly extent: object;
}

/** `files`: what those are called with that are not told to find their tests. */
export const runnerCommands = (files: readonly string[]): readonly RunnerCommand[] => [
  {
    name: 'node:test',
    extension: 'cjs',
    head: `const { test, describe, beforeEach, afterEach } = require('node:test');`,
    command: ['--test', files[0]!],
    extent: {},
  },
  {
    name: 'Mocha',
    extension: 'cjs',
    head: 'const test = it;',
    command: ['node_modules/mocha/bin/mocha.js', '--timeout', '10000', ...files],
    extent: {},
  },
  {
    name: 'Vitest',
    extension: 'mjs',
    head: REQUIRE,
    command: ['node_modules/vitest/vitest.mjs', 'run', '--globals'],
    extent: MORE,
  },
  {
    name: 'Jest',
    extension: 'cjs',
    head: '',
    command: ['node_modules/jest/bin/jest.js', '--testMatch', '**/*.test.cjs'],
    extent: MORE,
  },
];

/** The folder of a project that finds these runners. */
export function projectWithRunners(t: TestContext, files: Readonly<Record<string, string>>): string {
  const cwd = project(t, files);
  symlinkSync(MODULES, join(cwd, 'node_modules'));
  return cwd;
}

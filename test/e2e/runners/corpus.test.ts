/**
 * Packages with a known race beside their repaired versions, in TypeScript, as ES modules and as CommonJS: the
 * same tests, written for node:test, of which only the line that names the runner is another.
 * With `UNWEAVE_TESTS=all` under every runner, with node:test alone otherwise: each of the others finds a race in its own test.
 */
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MORE as ONLY_WHOLE } from '../../extent.ts';
import { fixedProject, project } from '../../rescheduler/subjects/projects.ts';
import { readReport, run } from '../batch/command.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const FOLDER = fixedProject('corpus');
const VERSIONS = ['buggy', 'fixed'];

const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  'node:test': ['--test'],
  Mocha: [join(MODULES, 'mocha/bin/mocha.js'), '*.test.*'],
  Vitest: [join(MODULES, 'vitest/vitest.mjs'), 'run', '--globals'],
  Jest: ['--experimental-vm-modules', join(MODULES, 'jest/bin/jest.js')],
};
const JEST = {
  testMatch: ['**/*.test.*'],
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'json'],
};

/** What the test of each file races on, in the buggy version of its package. */
const RACES: Readonly<Record<string, RegExp>> = {
  'async-mutex.test.ts': /^Semaphore#_value$/,
  'cacheable.test.mjs': /^Keyv\[report::::[0-9a-f]+\]$/,
  'get-port.test.cjs': /^port #1$/,
};
/** Each takes its seconds under each runner: with `UNWEAVE_CORPUS=all`. */
const MORE: typeof RACES = {
  'node-json-db.test.ts': /^JsonDB#loaded$/,
  'p-memoize.test.mjs': /^fs:\*\/Ghent\.json$/,
  'rotating-file-stream.test.cjs': /^fs:\*\/log$/,
};
const isWhole = process.env['UNWEAVE_CORPUS'] === 'all';
/** node:test runs each flavour; of the others each runs one: their own tests have the rest. */
const FLAVOURS: Readonly<Record<string, RegExp>> = {
  'node:test': /./,
  Mocha: /\.cjs$/,
  Vitest: /\.ts$/,
  Jest: /\.mjs$/,
};

function casesOf(runner: string): typeof RACES {
  if (isWhole) return { ...RACES, ...MORE };
  return Object.fromEntries(Object.entries(RACES).filter(([file]) => FLAVOURS[runner]!.test(file)));
}

/** The tests for a runner that has `it` as a global, or for node:test, with each version of the packages. */
function ported(runner: string, cases: typeof RACES): Record<string, string> {
  const files = Object.keys(cases).flatMap((file) => {
    const source = readFileSync(join(FOLDER, file), 'utf8');
    const text = runner === 'node:test' ? source : source.replace(/^.*'node:test'.*$/m, 'const test = it;');
    return VERSIONS.map((version) => [`${version}-${file}`, text.replaceAll(/-buggy\b/g, `-${version}`)]);
  });
  return Object.fromEntries(files) as Record<string, string>;
}

const howMuch = (runner: string) => (runner === 'node:test' || isWhole ? {} : ONLY_WHOLE);

for (const [runner, args] of Object.entries(RUNNERS))
  test(
    `${runner}: each race is found, where it is, and no repaired package is reported`,
    howMuch(runner),
    async () => {
      const cases = casesOf(runner);
      const cwd = project({
        'package.json': '{ "private": true }',
        'jest.config.json': JSON.stringify(JEST),
        ...ported(runner, cases),
      });
      symlinkSync(MODULES, join(cwd, 'node_modules'));
      const packages = Object.keys(cases).flatMap((file) =>
        VERSIONS.map((version) => file.replace(/\.test\..*/, `-${version}`)),
      );
      const how = ['--max-schedules', '6', '--confirm', '1', '--instrument', packages.join(',')];
      const ended = await run(cwd, ['run', '--json', 'out.json', ...how, '--', process.execPath, ...args]);
      assert.equal(ended.code, 1, ended.out + ended.err);
      const { bugs, tests } = readReport(cwd);
      const files = (version: string) => Object.keys(cases).map((file) => `${version}-${file}`);
      assert.deepEqual(tests.map(({ file }) => file).sort(), VERSIONS.flatMap(files).sort());
      const found = bugs.map(({ test }) => test.replace(/:.*/, ''));
      assert.deepEqual([...new Set(found)].sort(), files('buggy').sort(), ended.out);
      for (const bug of bugs)
        assert.match(bug.entity ?? '', cases[bug.test.replace(/^buggy-|:.*/g, '')]!, bug.test);
    },
  );

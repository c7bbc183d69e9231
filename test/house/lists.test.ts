/** What is added to a table stands in all lists that are made of it: in messages, in the help, in what is read and written. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rejectBareCommand } from '../../cli/argv.ts';
import { reporterOption } from '../../cli/flags.ts';
import { exportedTest } from '../../cli/project/exported-test.ts';
import { runnerOf } from '../../cli/project/runner.ts';
import {
  isOfRunners,
  namesIn,
  RUNNERS,
  type RunnerRow,
  type RunnerTable,
  runnerPackages,
  runnersForPeople,
} from '../../data/runners.ts';
import { REPORTERS } from '../../report/reporter.ts';
import { REPORTER_NAMES, WANTED } from '../../report/wanted.ts';
import { carriesOutTests } from '../../rescheduler/subjects/unseen-runners.ts';

const toyRunner: RunnerRow = {
  ...{ title: 'Toy', since: 3, command: 'toy-run', called: /\btoy-run\b/ },
  ...{ carriedOutBy: ['toy-runner'], parts: [/@toy\/[^/]+/], variables: ['TOY_'] },
  ...{ warm: 'entry', tellsLoaded: false },
  testFrom: 'toy-runner',
  testOf: (name, body, timeoutMs) => [`toy(${name}, ${timeoutMs}, ${body});`],
};
const table: RunnerTable = { ...RUNNERS, toy: toyRunner };

test('a runner that is added to the table is in all lists of runners', () => {
  assert.deepEqual(namesIn(table).slice(-2), ['uvu', 'toy']);
  assert.match(runnersForPeople(table), /^node:test, Vitest from 1 on, .*, uvu and Toy from 3 on$/);
  const ofRunners = new RegExp(`/node_modules/(?:${runnerPackages(table)})/`);
  for (const [path, isOne] of [
    ['/p/node_modules/toy-runner/run.js', true],
    ['/p/node_modules/@toy/core/run.js', true],
    ['/p/node_modules/toys/run.js', false],
  ] as const)
    assert.equal(ofRunners.test(path), isOne, path);
  const known = ['vitest', '@vitest/runner', 'jest-circus', '@jest/core', 'mocha', 'jest', 'vite', 'p-queue'];
  assert.deepEqual(known.filter(isOfRunners), known.slice(0, 6));
  const script = '/p/node_modules/toy-runner/bin.js';
  assert.deepEqual([carriesOutTests(script), carriesOutTests(script, table)], [false, true]);
});

test('the command line knows its command, init its call, export its tests', () => {
  rejectBareCommand(['run', 'toy-run']);
  assert.throws(() => rejectBareCommand(['run', 'toy-run'], table), /goes after "--"/);
  const manifest = { type: '', dependencies: {}, devDependencies: {}, packageManager: '' };
  const found = (scripts: Record<string, string>) => runnerOf({ ...manifest, scripts }, table)?.title;
  assert.equal(found({ test: 'toy-run src' }), 'Toy');
  assert.equal(found({ test: 'node --test && toy-run src' }), 'Toy');
  const text = exportedTest({ runner: toyRunner, style: 'module', title: 'a', order: 'a.order.json' });
  assert.match(text, /^import \{ test \} from 'toy-runner';$/m);
  assert.match(text, /^toy\('a', 120000, \(\) => force\(/m);
});

test('a reporter that is added to the table is in the help, and the command line takes its name', () => {
  const added = { ...WANTED, toy: { file: 'toy.txt', about: 'for children' } };
  const option = reporterOption(added);
  assert.match(option.description, /^other reports: html, sarif, .*, toy \(for children\); /);
  const wanted = (text: string, given = option): unknown => given.parseArg?.(text, undefined);
  assert.deepEqual(wanted('sarif,toy'), [
    { name: 'sarif', file: WANTED.sarif.file },
    { name: 'toy', file: 'toy.txt' },
  ]);
  assert.throws(() => wanted('toy', reporterOption()), /expected html, /);
  assert.throws(() => wanted('constructor'), /expected html, .*, toy,/);
});

test('each reporter that can be asked for is there, and users are told of it', () => {
  const there = new Set(REPORTERS.map(({ name }) => name));
  const page = readFileSync(join(import.meta.dirname, '../../docs/reports.md'), 'utf8');
  for (const name of REPORTER_NAMES) {
    assert.ok(there.has(name), name);
    assert.ok(page.includes(`\`${name}\``) || page.includes(`--${name}`), `docs/reports.md: ${name}`);
  }
});

test('users are told of each runner', () => {
  const page = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  for (const { title } of Object.values(RUNNERS)) assert.ok(page.includes(title), title);
});

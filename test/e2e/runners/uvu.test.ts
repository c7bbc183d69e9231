/** Suites of uvu as their users start them: by its command, and by `node`. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { options, project } from '../../rescheduler/subjects/projects.ts';
import { readReport, run } from '../batch/command.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const UVU = [process.execPath, join(MODULES, 'uvu/bin.js')];

/** A balance behind a database, read and written in two steps; repaired: one after the other. */
const account = (lock: string): string => `
  let balance = 0;
  let last = Promise.resolve();
  const later = (ms, work) => new Promise((resolve) => setTimeout(() => resolve(work()), ms));
  const add = async (amount) => {
    const before = await later(2, () => balance);
    await later(2, () => { balance = before + amount; });
  };
  exports.balance = () => balance;
  exports.add = (amount) => ${lock};`;
const RACY = account('add(amount)');
const REPAIRED = account('(last = last.then(() => add(amount)))');

const TESTS = `
  const assert = require('node:assert');
  const { test } = require('uvu');
  const account = require('../account.js');
  test('adds twice', async () => {
    const second = new Promise((resolve) => setTimeout(resolve, 5)).then(() => account.add(2));
    await account.add(1);
    await second;
    assert.equal(account.balance(), 3);
  });
  test.run();`;

/** In both builds of uvu. */
const everyday = (load: (names: string, from: string) => string): string => `
  ${load('{ suite, test }', 'uvu')}
  ${load('fs', 'node:fs')}
  const ran = (what) => fs.appendFileSync('ran', what + ' ');
  const outer = suite('outer', { n: 0 });
  let hooks = 0;
  outer.before(() => { hooks += 1; ran('before'); });
  outer.before.each((state) => { state.n += 1; });
  outer('takes its state', async ({ n }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (n < 1 || hooks !== 1) throw new Error('no hooks');
    ran('state');
  });
  for (const n of [1, 2]) outer('of one name', () => ran('name' + n));
  outer.skip('left out', () => ran('never'));
  outer.run();
  test('given up', () => ran('never'));
  test.only('alone', async () => ran('alone'));
  test.run();`;

const NAMES = ['outer > takes its state', 'outer > of one name', 'outer > of one name (2)', 'alone'];

const withUvu = (files: Readonly<Record<string, string>>): string => {
  const cwd = project(files);
  symlinkSync(MODULES, join(cwd, 'node_modules'));
  return cwd;
};

describe('each test that runs is a case, and runs again alone', () => {
  const commonJs = everyday((names, from) => `const ${names} = require('${from}');`);
  const module = everyday((names, from) => `import ${names} from '${from}';`);
  for (const [file, text, command] of [
    ['test/a.js', commonJs, [...UVU, 'test']],
    ['test/a.mjs', module, [...UVU, 'test']],
    ['test/a.mjs', module, [process.execPath, 'test/a.mjs']],
  ] as const)
    test(`${file}, by ${command.length === 3 ? 'its command' : 'node'}`, async () => {
      const cwd = withUvu({ [file]: text });
      const found = await recordCommand([...command], { cwd });
      assert.deepEqual(
        found.map(({ id }) => id),
        NAMES.map((name) => `${file}:${name}`),
      );
      for (const [at, subject] of found.entries()) {
        assert.equal((await subject.record(options())).result.outcome, 'pass');
        rmSync(join(cwd, 'ran'), { force: true });
        const ran = ['before state', 'before name1', 'before name2', 'alone'][at];
        for (const run of [subject.executeFresh, subject.execute]) {
          const { outcome } = await run.call(subject, { kind: 'observed' }, options());
          assert.equal(outcome, 'pass');
          assert.equal(readFileSync(join(cwd, 'ran'), 'utf8').trim(), ran);
          rmSync(join(cwd, 'ran'));
        }
        assert.ok('unfit' in subject && subject.unfit === null, String(subject.unfit));
        await subject.close();
      }
    });
});

const json = ['--json', 'out.json', '--max-schedules', '6', '--confirm', '1'];

test('a race is found, its replay fails', async () => {
  const cwd = withUvu({ 'account.js': RACY, 'test/account.js': TESTS });
  const ended = await run(cwd, ['run', ...json, '--', ...UVU, 'test']);
  assert.equal(ended.code, 1, ended.err + ended.out);
  const { bugs } = readReport(cwd);
  assert.deepEqual([...new Set(bugs.map(({ entity }) => entity))], ['account.js:balance']);
  const replayed = await run(cwd, ['replay', bugs[0]!.id]);
  assert.match(replayed.out, /the bug is there/, replayed.err);
});

test('its repaired twin is silent', async () => {
  const cwd = withUvu({ 'account.js': REPAIRED, 'test/account.js': TESTS });
  const ended = await run(cwd, ['run', ...json, '--', ...UVU, 'test']);
  assert.equal(ended.code, 0, ended.err + ended.out);
  assert.deepEqual(
    readReport(cwd).tests.map(({ baseline, ownProcesses }) => [baseline, ownProcesses]),
    [['passed', null]],
  );
});

test('a test that fails plainly is red', async () => {
  const cwd = withUvu({
    'test/a.js': `const { test } = require('uvu'); test('x', async () => { throw new Error('no'); }); test.run();`,
  });
  const ended = await run(cwd, ['run', ...json, '--', ...UVU, 'test']);
  assert.equal(ended.code, 3, ended.err + ended.out);
  assert.deepEqual(
    readReport(cwd).tests.map(({ name, baseline }) => [name, baseline]),
    [['x', 'red']],
  );
});

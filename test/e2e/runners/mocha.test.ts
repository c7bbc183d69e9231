/** Suites of Mocha as their users start them. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { MORE } from '../../extent.ts';
import { options, project } from '../../rescheduler/subjects/projects.ts';
import { readReport, run } from '../batch/command.ts';

const VERSIONS = ['mocha11', 'mocha'].map((name) => ({
  name,
  bin: fileURLToPath(new URL(`../../../node_modules/${name}/bin/mocha.js`, import.meta.url)),
}));

/** A balance behind a database, read and written in two steps. */
const ACCOUNT = `
  let balance = 0;
  const later = (ms, work) => new Promise((resolve) => setTimeout(() => resolve(work()), ms));
  exports.reset = () => { balance = 0; };
  exports.balance = () => balance;
  exports.add = async (amount) => {
    const before = await later(2, () => balance);
    await later(2, () => { balance = before + amount; });
  };`;

const TESTS = `
  const assert = require('node:assert');
  const account = require('../account.js');
  describe('account', () => {
    beforeEach(() => account.reset());
    it('adds', async () => { await account.add(1); assert.equal(account.balance(), 1); });
    it('adds twice', async () => {
      const second = new Promise((resolve) => setTimeout(resolve, 5)).then(() => account.add(2));
      await account.add(1);
      await second;
      assert.equal(account.balance(), 3);
    });
  });`;

const EVERYDAY = `
  const assert = require('node:assert');
  const fs = require('node:fs');
  const ran = (what) => fs.appendFileSync('ran', what + ' ');
  let hooks = 0;
  before(() => { hooks += 1; });
  describe('outer', function () {
    this.timeout(3000);
    beforeEach(function () { hooks += 1; this.own = 'own'; });
    it('by a callback', function (done) {
      ran('callback');
      assert.equal(this.own, 'own');
      fs.readFile(__filename, (error, text) => { assert.ok(text.length > 0); done(error); });
    });
    it('by a promise', async () => {
      ran('promise');
      assert.ok(hooks >= 2);
      await new Promise((resolve) => setTimeout(resolve, 2500));
    });
    for (const n of [1, 2]) it('of one name', () => ran('name' + n));
    it('not written yet');
    it.skip('left out', () => ran('never'));
    it('skips itself', function () { this.skip(); });
    it('skips itself later', function (done) { setTimeout(() => this.skip(), 3); });
    describe('inner', () => {
      let tries = 0;
      it('at the second attempt', function () { this.retries(2); ran('retry'); assert.ok(++tries > 1); });
      it('waits long', (done) => { ran('long'); setTimeout(done, 2500); });
    });
  });`;

const NAMES = [
  'outer > by a callback',
  'outer > by a promise',
  'outer > of one name',
  'outer > of one name (2)',
  'outer > inner > at the second attempt',
  'outer > inner > waits long',
];

for (const { name, bin } of VERSIONS)
  describe(name, () => {
    const mocha = (...args: string[]) => [process.execPath, bin, ...args];
    /** What hangs on Mocha itself is asked of both versions, the rest of the newer one. */
    const once = name === 'mocha' ? {} : MORE;

    test('each test that runs is a case, and runs again alone', once, async () => {
      const cwd = project({ 'test/a.js': EVERYDAY });
      const found = await recordCommand(mocha('test/a.js'), { cwd });
      assert.deepEqual(
        found.map(({ id }) => id),
        NAMES.map((each) => `test/a.js:${each}`),
      );
      for (const subject of found) {
        assert.equal((await subject.record(options())).result.outcome, 'pass');
        for (let i = 0; i < 3; i++) {
          const { outcome, failure } = await subject.execute({ kind: 'observed' }, options());
          assert.equal(outcome, 'pass', `${subject.name}: ${failure?.message}`);
        }
        // All of that in a process that lasts, where nothing is tried again.
        const unfit = subject === found[4] ? 'it does not take the recorded steps' : null;
        assert.equal((subject as Partial<{ unfit: string | null }>).unfit, unfit, subject.name);
        await subject.close();
      }
      const [, , first, second, retry] = found;
      for (const [subject, ran] of [
        [first, 'name1 '],
        [second, 'name2 '],
        [retry, 'retry retry '],
      ] as const) {
        execFileSync('rm', [join(cwd, 'ran')]);
        const { outcome } = await subject!.executeFresh({ kind: 'observed' }, options());
        assert.deepEqual([outcome, readFileSync(join(cwd, 'ran'), 'utf8')], ['pass', ran]);
      }
    });

    test('cases whose recording bears the traces of others share a process, too', once, async () => {
      const cwd = project({
        'cached.js': `let kept; exports.get = async () => (kept ??= await require('node:fs/promises').readFile(__filename));`,
        'test/a.js': `for (const n of [1, 2, 3, 4, 5]) it('case ' + n, async () => {
          require('node:fs').appendFileSync('ran', process.pid + ' ');
          await require('../cached.js').get(); });`,
      });
      const found = await recordCommand(mocha(), { cwd });
      const began: number[] = [];
      const known = new Set<string>();
      for (const subject of found) {
        execFileSync('rm', ['-f', join(cwd, 'ran')]);
        for (let i = 0; i < 3; i++)
          assert.equal((await subject.execute({ kind: 'observed' }, options())).outcome, 'pass');
        assert.equal((subject as Partial<{ unfit: string | null }>).unfit, null, subject.name);
        const here = new Set(readFileSync(join(cwd, 'ran'), 'utf8').trim().split(' '));
        began.push(here.difference(known).size);
        for (const pid of here) known.add(pid);
        await subject.close();
      }
      // The first one read the file. For the second one there was a process without others, one with its files on the disk, and one
      // in which it was run alone: that is all the last ones need.
      assert.deepEqual(began, [1, 3, 2, 1, 1]);
    });

    test('tests that were not begun are told, but for those that nobody wanted', once, async () => {
      const cwd = project({
        'test/a.js': `it('passes', () => {}); it('fails', () => { throw new Error('no'); }); it('never', () => {}); it.skip('left out', () => {});`,
        'test/b.js': `it('fails', () => { throw new Error('no'); }); it('never', () => {}); it('nor this', () => {});`,
        'inner/a.js': `it('outer', (done) => { it('inner, which Mocha never runs', () => {}); setTimeout(done, 1); });`,
        'only/a.js': `it('fails', () => { throw new Error('no'); }); it.only('passes', () => {});`,
      });
      const told = async (...args: string[]) => {
        const found = await recordCommand(mocha(...args), { cwd });
        const broken = found.filter(({ isBroken }) => isBroken);
        return Promise.all(
          broken.map((each) => each.record(options()).catch(({ message }: Error) => message)),
        );
      };
      assert.deepEqual(await told('--bail', 'test/a.js'), ['1 of its tests was not run: it ended before']);
      for (const whole of [
        [],
        ['-g', 'fails'],
        ['-g', 'fails', '--invert'],
        ['only'],
        ['only', '-g', 'e'],
        ['inner'],
      ])
        assert.deepEqual(await told(...whole), [], whole.join(' '));
      const some = await told('--bail', '-g', 'fails|never', 'test/b.js');
      assert.deepEqual(some, ['1 of its tests was not run: it ended before']);
    });

    test(
      'a body is called in the turn of the hooks before it, where these wait for nothing',
      once,
      async () => {
        const cwd = project({
          'test/a.js': `
          const assert = require('node:assert');
          let order;
          const isAsPlainly = () => assert.deepEqual(order, ['body', 'tick', 'microtask']);
          const turn = () => new Promise((resolve) => setTimeout(resolve, 2));
          beforeEach(() => {
            order = [];
            process.nextTick(() => order.push('tick'));
            Promise.resolve().then(() => order.push('microtask'));
          });
          it('by a promise', async () => {
            order.push('body');
            await Promise.all([turn(), turn()]);
            isAsPlainly();
          });
          it('by a callback', (done) => {
            order.push('body');
            turn().then(isAsPlainly).then(done, done);
          });
          it('at once', () => { order.push('body'); assert.deepEqual(order, ['body']); });`,
        });
        const subjects = await recordCommand(mocha('test'), { cwd });
        assert.equal(subjects.length, 3);
        for (const subject of subjects) {
          assert.equal((await subject.record(options())).result.failure, null, subject.name);
          for (const how of ['execute', 'executeFresh'] as const)
            assert.equal((await subject[how]({ kind: 'observed' }, options())).failure, null, subject.name);
          await subject.close();
        }
      },
    );

    test('a process that was started beforehand is taken over', once, async () => {
      const cwd = project({
        'test/a.js': `require('node:fs').appendFileSync('loaded', process.pid + ' '); it('a', () => new Promise(setImmediate));`,
      });
      const [a] = await recordCommand(mocha('test'), { cwd });
      const loaded = () => new Set(readFileSync(join(cwd, 'loaded'), 'utf8').trim().split(' ')).size;
      a!.warmUp!(options());
      while (loaded() < 2) await sleep(10);
      for (let i = 0; i < 2; i++)
        assert.equal((await a!.execute({ kind: 'observed' }, options())).outcome, 'pass');
      assert.equal(loaded(), 2);
      await a!.close();
    });

    test('a file that opens a port as it is loaded', once, async () => {
      // A name of the kernel, free again once its process has ended.
      const at = `\\0unweave-${process.pid}`;
      const cwd = project({
        'test/a.js': `it('a', () => new Promise(setImmediate));`,
        'test/b.js': `require('node:net').createServer().listen('${at}').unref(); it('b', () => {});`,
      });
      const [a] = await recordCommand(mocha('test'), { cwd });
      for (let i = 0; i < 2; i++) {
        assert.equal((await a!.execute({ kind: 'observed' }, options())).outcome, 'pass');
        const fresh = await a!.executeFresh({ kind: 'observed' }, options());
        assert.deepEqual([fresh.outcome, fresh.failure], ['pass', null]);
        const plain = await a!.executePlain(null, options());
        assert.deepEqual([plain.outcome, plain.failure], ['pass', null]);
      }
      assert.equal((a as Partial<{ unfit: string | null }>).unfit, null);
      await a!.close();
    });

    test('cases of all files share a process, but for files that can only be loaded once', once, async () => {
      const note = `require('node:fs').appendFileSync('ran', process.pid + ' ');`;
      const cwd = project({
        'test/a.js': `let n = 0; beforeEach(() => { n += 1; }); it('a', () => { ${note} if (n !== 1) throw n; });`,
        'test/b.js': `it('b', () => { ${note} });`,
        'test/c.js': `
          if (globalThis.once) throw new Error('loaded twice');
          globalThis.once = true;
          describe('of one process', () => {
            after(() => { globalThis.once = false; });
            it('c', () => { ${note} });
          });`,
      });
      const found = await recordCommand(mocha(), { cwd });
      for (const subject of found) await subject.record(options());
      execFileSync('rm', [join(cwd, 'ran')]);
      for (const subject of found) {
        assert.equal((await subject.execute({ kind: 'observed' }, options())).outcome, 'pass');
        assert.equal((subject as Partial<{ unfit: string | null }>).unfit, null, subject.name);
        await subject.close();
      }
      const [a, b, c] = [...new Set(readFileSync(join(cwd, 'ran'), 'utf8').trim().split(' '))];
      assert.ok(a !== undefined && b !== undefined && c === undefined);
    });

    const racy = { 'account.js': ACCOUNT, 'test/account.js': TESTS };
    const json = ['--json', 'out.json', '--max-schedules', '6', '--confirm', '1'];

    test('a race is found, and its replay fails', async () => {
      const cwd = project({ ...racy, '.mocharc.json': '{ "parallel": true, "jobs": 2 }' });
      const ended = await run(cwd, ['run', ...json, '--max-schedules', '2', '--', ...mocha()]);
      assert.equal(ended.code, 1, ended.err);
      const { bugs, tests } = readReport(cwd);
      assert.equal(tests.length, 2);
      assert.deepEqual([...new Set(bugs.map(({ entity }) => entity))], ['account.js:balance']);
      const replayed = await run(cwd, ['replay', bugs[0]!.id]);
      assert.match(replayed.out, /the bug is there/, replayed.err);
    });

    test('a worker that cannot be under control, and hooks, make nothing red', once, async () => {
      const cwd = project({
        'test/a.js': `
          const { once } = require('node:events');
          const { Worker } = require('node:worker_threads');
          describe('workers', function () {
            this.timeout(9000);
            afterEach(() => {});
            it('answers', async () => {
              const words = new Int32Array(new SharedArrayBuffer(4));
              const code = 'Atomics.add(require("node:worker_threads").workerData, 0, 1)';
              const worker = new Worker(code, { eval: true, stdout: true, workerData: words });
              worker.stdout.resume();
              await once(worker, 'exit');
              if (words[0] !== 1) throw new Error('not counted');
            });
          });`,
      });
      const ended = await run(cwd, ['run', ...json, '--max-schedules', '1', '--', ...mocha()]);
      assert.equal(ended.code, 0, ended.out);
      assert.deepEqual([...new Set(readReport(cwd).tests.map(({ baseline }) => baseline))], ['passed']);
    });

    test('tests of several files, and their hooks, use one file of the project', once, async () => {
      const tests = (name: string) => `
        const assert = require('node:assert');
        const { readFile, rm, stat, writeFile } = require('node:fs/promises');
        describe('${name}', () => {
          beforeEach(() => rm('db', { force: true }));
          it('looks', () => Promise.all([stat('.'), stat('.'), stat('.')]));
          for (const n of [1, 2])
            it('keeps ' + n, async () => {
              await writeFile('db', '${name}' + n);
              for (let i = 0; i < 20; i++) {
                const [text] = await Promise.all([readFile('db', 'utf8'), stat('.')]);
                assert.equal(text, '${name}' + n);
              }
            });
        });`;
      const cwd = project({ 'test/a.js': tests('a'), 'test/b.js': tests('b') });
      const ended = await run(cwd, ['run', ...json, '--jobs', '3', '--', ...mocha()]);
      assert.equal(ended.code, 0, ended.out);
      const { tests: told } = readReport(cwd);
      assert.deepEqual(
        told.map(({ baseline, verdicts }) => [baseline, verdicts.unknown]),
        told.map(() => ['passed', 0]),
        ended.out,
      );
    });

    test(
      'an interval of an earlier test goes on, and how long a test may take is Mocha’s own',
      once,
      async () => {
        const cwd = project({
          'test/a.js': `
          const waiting = [];
          it('begins', async () => { setInterval(() => waiting.shift()?.(), 20).unref(); });
          it('waits', async function () {
            this.timeout(30000);
            for (let i = 0; i < 5; i++) await new Promise((resolve) => waiting.push(resolve));
          });
          it('ends', function (done) { this.timeout(500); setTimeout(done, 40); });`,
        });
        const found = await recordCommand(mocha(), { cwd });
        assert.equal(found.length, 3);
        for (const subject of found) {
          const { result, trace } = await subject.record(options());
          assert.equal(result.outcome, 'pass', subject.name);
          assert.ok(
            trace.requests.every(({ delay }) => delay < 50),
            subject.name,
          );
        }
      },
    );

    test('rejections that nobody handles go by what the listeners of the program say', once, async () => {
      const text = `it('x', async () => { Promise.reject(new Error('no one')); await new Promise((r) => setTimeout(r, 5)); });`;
      const strict = `process.on('unhandledRejection', (error) => { throw error; }); ${text}`;
      for (const [file, outcome, passes] of [
        [text, 'pass', true],
        [strict, 'fail', false],
      ] as const) {
        const cwd = project({ 'test/a.js': file });
        assert.equal(spawnSync(process.execPath, [bin], { cwd }).status === 0, passes);
        const [subject] = await recordCommand(mocha(), { cwd });
        assert.equal((await subject!.record(options())).result.outcome, outcome);
      }
    });

    test('what fails plainly fails', async () => {
      const inTests: [text: string, why: RegExp][] = [
        [`it('x', (done) => { done(new Error('told')); });`, /told/],
        [`it('x', (done) => { done('words'); });`, /words/],
        [`it('x', async () => { throw new Error('thrown'); });`, /thrown/],
        [`it('x', (done) => { setTimeout(() => { throw new Error('later'); }, 3); });`, /later/],
        [`it('x', async (done) => { await 0; done(); });`, /overspecified/],
      ];
      /** What is told of those that fail; what fails beside tests is told of the command. */
      const told = async (files: Readonly<Record<string, string>>): Promise<string[]> => {
        const cwd = project(files);
        assert.equal(spawnSync(process.execPath, [bin], { cwd }).status, Object.keys(files).length);
        const found = await recordCommand(mocha(), { cwd });
        return Promise.all(
          found.map((subject) =>
            subject.record(options()).then(
              ({ result }) => `${subject.file}: ${result.failure?.message}`,
              (error: Error) => error.message,
            ),
          ),
        );
      };
      const all = await told(Object.fromEntries(inTests.map(([text], at) => [`test/${at}.js`, text])));
      for (const [at, [text, why]] of inTests.entries())
        assert.match(all.find((each) => each.startsWith(`test/${at}.js: `)) ?? '', why, text);
      const outside = { 'test/a.js': `it('x', () => {}); after(() => { throw new Error('hook'); });` };
      assert.match((await told(outside)).join('\n'), /fails outside/);
    });
  });

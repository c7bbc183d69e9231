/** Whatever Node was told about loading, and whoever came before us: what passes plainly passes, and what races is found. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CaseSubject, recordCommand } from '../../rescheduler/subjects/node-test.ts';
import { isRun } from '../extent.ts';
import { compiled, inline } from '../monitor/loader/compile.ts';
import { options, project } from '../rescheduler/subjects/projects.ts';

const TEST = (imports: string) => `${imports}
  test('lost', async () => {
    const account = { n: 0, async add(by) { const before = this.n; await fs.appendFile('log', 'x'); this.n = before + by; } };
    const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    await Promise.all([account.add(1), later(20).then(() => account.add(2))]);
    if (account.n !== 3) throw new Error('lost');
  });`;
const IMPORTED = TEST(`import { test } from 'node:test'; import fs from 'node:fs/promises';`);
const REQUIRED = TEST(`const { test } = require('node:test'); const fs = require('node:fs/promises');`);
const TYPED = REQUIRED.replace('by)', 'by: number)');

/** What a compiler makes of `a.test.ts`. */
function made(text: string): string {
  const { code, map } = compiled(text);
  return code + inline({ ...map, sources: ['a.test.ts'] });
}

const CHECKED = `
    const { Module } = require('node:module');
    const native = Module._extensions['.js'];
    process[Symbol.for('ts-node.register.instance')] = { transpileOnly: false, enabled: () => true, ignored: (file) => /node_modules/.test(file) };
    Module._extensions['.ts'] = (module, filename) => {
      const compile = module._compile;
      module._compile = function (code, name) {
        if (code.includes('__cov')) throw new TypeError("Cannot find name '__cov'");
        return compile.call(this, ${JSON.stringify(made(TYPED))}, name);
      };
      return native(module, filename);
    };`;

const FILES = {
  'a.test.mjs': IMPORTED,
  'a.test.cjs': REQUIRED,
  'empty.mjs': '',
  'empty.cjs': '',
  // As ts-node and its like: each file is rewritten before it is compiled, by its extension.
  'by-extension.cjs': `
    const { Module } = require('node:module');
    for (const extension of ['.js', '.cjs', '.ts']) {
      const before = Module._extensions[extension] ?? Module._extensions['.js'];
      Module._extensions[extension] = (module, filename) => {
        const compile = module._compile;
        module._compile = function (code, name) { return compile.call(this, rewrite(code), name); };
        return before(module, filename);
      };
    }
    const rewrite = (code) => code.replace('ANSWER', '42').replace(/^import (.*) from (.*);/gm, 'const $1 = require($2);');`,
  'by-extension.test.cjs': `if (ANSWER !== 42) throw 1; ${REQUIRED}`,
  // As esbuild-register: all that is compiled has something before it that only CommonJS can do.
  'by-compile.cjs': `
    const { prototype } = require('node:module').Module;
    const compile = prototype._compile;
    prototype._compile = function (code, name, ...rest) {
      return compile.call(this, 'const __own = require("node:url").pathToFileURL(__filename);' + code, name, ...rest);
    };`,
  // As ts-node, which checks the types of what it is given and knows nothing of ours; up to its version 7 it tells nobody.
  'checked.cjs': CHECKED,
  'node_modules/ts-node/dist/index.js': CHECKED.replace(/^.*register\.instance.*$/m, ''),
  'a.test.ts': TYPED,
  // As graceful-fs and mocks of the file system.
  'patched-fs.cjs': `
    const fs = require('node:fs');
    for (const name of ['open', 'readFile', 'appendFile', 'stat']) {
      const native = fs[name];
      fs[name] = function (...args) { return native.apply(this, args); };
      const promised = fs.promises[name];
      fs.promises[name] = async (...args) => promised(...args);
    }
    require('node:module').syncBuiltinESMExports();`,
  'frozen.cjs': `for (const each of [Date, Math, Promise, Atomics, require('node:timers')]) Object.freeze(each);`,
  'hooks.mjs': `
    import { register, registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => next(url, context), resolve: (s, c, next) => next(s, c) });
    register('./off-thread.mjs', import.meta.url);`,
  'off-thread.mjs': `export const resolve = (s, c, next) => next(s, c); export const load = (u, c, next) => next(u, c);`,
};

describe('a race is found, and the natural order passes, with', () => {
  const cwd = project(FILES);
  const permission = ['--permission', '--allow-fs-read=*', '--allow-fs-write=*', '--allow-inspector'];
  const OPTIONS = process.allowedNodeEnvironmentFlags;
  const rows: [string[], string?][] = [
    [['--frozen-intrinsics']],
    [['--pending-deprecation', '--throw-deprecation']],
    [permission],
    [['--disable-proto=delete']],
    [['--disable-proto=throw']],
    // Node 26 has it no more.
    ...(OPTIONS.has('--experimental-transform-types')
      ? [[['--experimental-transform-types']] as [string[]]]
      : []),
    [['--enable-source-maps']],
    [['--conditions', 'x']],
    [['--preserve-symlinks']],
    [['--no-experimental-require-module']],
    [['--no-experimental-detect-module']],
    [['--stack-trace-limit=0']],
    [['--import', './empty.mjs']],
    [['--require', './empty.cjs']],
    [['--import', './hooks.mjs']],
    [['-r', './by-extension.cjs'], 'by-extension.test.cjs'],
    [['-r', './by-compile.cjs'], 'a.test.cjs'],
    [['-r', './checked.cjs'], 'a.test.ts'],
    [['-r', './node_modules/ts-node/dist/index.js'], 'a.test.ts'],
    [['-r', './patched-fs.cjs']],
    [['-r', './frozen.cjs']],
  ];
  const both = ['a.test.mjs', 'a.test.cjs'];
  for (const [at, [given, only]] of rows.entries()) {
    // What says nothing about modules has one kind of them, the next row the other.
    const isOfModules = /import|require|module|fs|frozen|intrinsics/.test(given.join(' '));
    for (const file of only ? [only] : both.filter((_, which) => isOfModules || isRun(at + which, 2)))
      test([...given, file].join(' '), async () => {
        const found = await recordCommand(['node', ...given, file], { cwd });
        assert.deepEqual(
          found.map(({ id }) => id),
          [`${file}:lost`],
        );
        const [subject] = found;
        const { result, trace } = await subject!.record(options());
        assert.equal(result.outcome, 'pass', result.failure?.message);
        assert.ok(trace.sites.length > 0, 'its text was seen');
        const natural = await subject!.execute({ kind: 'observed' }, options());
        assert.equal(natural.outcome, 'pass', natural.failure?.message);
        let seed = 0;
        while ((await subject!.execute({ kind: 'random', seed }, options())).failure?.message !== 'lost')
          seed++;
        assert.equal((subject as CaseSubject).unfit, null, 'its runs are warm');
        await subject!.close();
      });
  }
});

test('what a loader reads and rewrites itself is looked into, and its positions are those of the file', async () => {
  const text = `
      const { test } = require('node:test'), fs = require('node:fs/promises');
      interface Account {
        n: number;
      }
      test('adds', async () => {
        const account: Account = { n: 0 };
        const add = async (by: number) => { const before = account.n; await fs.readFile(__filename); account.n = before + by; };
        await add(1); account.n += 1; throw new Error('at the end');
      });`;
  const cwd = project({
    // As tsx in a CommonJS package: nobody but the loader reads the file.
    'past.cjs': `
      const { readFileSync } = require('node:fs');
      const { Module } = require('node:module');
      Module._extensions['.ts'] = (module, file) =>
        module._compile(readFileSync(file, 'utf8') && ${JSON.stringify(made(text))}, file);`,
    'a.test.ts': text,
  });
  const flags = ['--no-warnings', '--enable-source-maps', '-r', './past.cjs'];
  const [subject] = await recordCommand(['node', ...flags, 'a.test.ts'], { cwd });
  assert.deepEqual(subject?.unseen, []);
  const { result, trace } = await subject!.record(options());
  const lines = trace.sites.flatMap(({ text, line }) => (text === 'account.n' ? [line] : []));
  assert.deepEqual([...new Set(lines)], [8, 9], JSON.stringify(trace.sites));
  assert.match(result.failure?.stack ?? '', /a\.test\.ts:9:45/);
});

test('sources that a loader brings past us are named; what was asked for and is not there is an error', async () => {
  const cwd = project({
    'a.test.cjs': `
      require.extensions['.jsx'] = (module, file) => module._compile('exports.view = 1', file);
      require('./view.jsx');
      require('node:test').test('view', async () => { await new Promise((done) => setTimeout(done, 1)); });`,
    'view.jsx': 'exports.view = <b />;',
    'node_modules/left-padded/package.json': '{ "name": "left-padded" }',
  });
  const command = ['node', 'a.test.cjs'];
  const [subject] = await recordCommand(command, { cwd, instrument: ['left-padded'] });
  assert.deepEqual(subject?.unseen, ['view.jsx']);
  await assert.rejects(recordCommand(command, { cwd, instrument: ['right-padded'] }), {
    name: 'SubjectError',
    usage: true,
    message: "--instrument 'right-padded' matched nothing that was loaded: no package was loaded",
  });
});

/** The preload: what it instruments, in every format that Node loads, and what it leaves alone. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { project, runIn } from './helpers.ts';

/** True where the function was instrumented: its text is the user's, so look at the runtime's points. */
const POINTS = `globalThis[Symbol.for('unweave.runtime')].allSites().map((site) => site.file)`;
const filesOf = (stdout: string) => [...new Set(JSON.parse(stdout) as string[])].sort();
const print = `console.log(JSON.stringify(${POINTS}))`;

suite('formats', () => {
  const FILES = {
    'package.json': '{}',
    'cjs/x.js': 'const o = { n: 1 }; exports.n = o.n',
    'cjs/x.cjs': 'const o = { n: 1 }; exports.n = o.n',
    'cjs/detected.js': 'const o = { n: 1 }; export const n = o.n',
    'cjs/t.ts': 'const o: { n: number } = { n: 1 }; export const n: number = o.n',
    'cjs/c.ts': 'const o: { n: number } = { n: 1 }; exports.n = o.n as number',
    'cjs/t.cts': 'const o: { n: number } = { n: 1 }; exports.n = o.n as number',
    'cjs/t.mts': 'const o: { n: number } = { n: 1 }; export const n: number = o.n',
    'esm/package.json': '{ "type": "module" }',
    'esm/m.js': 'const o = { n: 1 }; export const n = o.n',
    'esm/m.mjs': 'const o = { n: 1 }; export const n = o.n',
    'esm/t.ts': 'const o: { n: number } = { n: 1 }; export const n: number = o.n',
  };
  const names = Object.keys(FILES).filter((name) => !name.endsWith('package.json'));

  test('require', () => {
    const dir = project({
      ...FILES,
      'main.cjs': `${names.map((name) => `if (require('./${name}').n !== 1) throw 1`).join(';')};${print}`,
    });
    const { stdout, stderr, status } = runIn(dir, 'main.cjs');
    assert.equal(status, 0, stderr);
    assert.deepEqual(filesOf(stdout), [...names, 'main.cjs'].sort());
  });

  test('import, static and dynamic', () => {
    const dir = project({
      ...FILES,
      'main.mjs': `${names.map((name, i) => `import { n as n${i} } from './${name}'`).join(';')};
        for (const name of ${JSON.stringify(names)}) if ((await import('./' + name + '?again')).n !== 1) throw name;
        ${print}`,
    });
    const { stdout, stderr, status } = runIn(dir, 'main.mjs');
    assert.equal(status, 0, stderr);
    assert.deepEqual(filesOf(stdout), [...names, 'main.mjs'].sort());
  });

  test('names that are imported from CommonJS are the ones that Node reads off the text as it was', () => {
    const dir = project({
      'package.json': '{}',
      'literal.cjs': 'function f() {}; class C {}; module.exports = { f, C };',
      'transpiled.cjs': `Object.defineProperty(exports, '__esModule', { value: true });
        const inner = require('./literal.cjs');
        exports.g = exports['h'] = void 0;
        Object.defineProperty(exports, 'f', { enumerable: true, get: function () { return inner.f; } });`,
      'again.cjs': `const a = require('./literal.cjs'); module.exports = { ...require('./transpiled.cjs'), a } // end`,
      'main.mjs': `import { f, C } from './literal.cjs';
        import { g, h, f as same } from './transpiled.cjs';
        import { a, f as again } from './again.cjs';
        if (f !== same || f !== again || a.C !== C) throw 'another one';
        ${print}`,
    });
    const { stdout, stderr, status } = runIn(dir, 'main.mjs');
    assert.equal(status, 0, stderr);
    assert.deepEqual(filesOf(stdout), ['again.cjs', 'literal.cjs', 'main.mjs', 'transpiled.cjs']);
  });

  test('the second run takes everything from the cache, and is the same', () => {
    const dir = project({
      ...FILES,
      'main.mjs': `${names.map((name) => `import './${name}'`).join(';')};${print}`,
    });
    const first = runIn(dir, 'main.mjs');
    const cache = join(dir, '.unweave/cache');
    const kept = readdirSync(cache);
    const second = runIn(dir, 'main.mjs');
    assert.equal(second.stdout, first.stdout);
    assert.deepEqual(readdirSync(cache), kept);
    // What is in the cache is used: an emptied plan leaves its file as it is.
    for (const file of kept) writeFileSync(join(cache, file), 'null');
    assert.deepEqual(filesOf(runIn(dir, 'main.mjs').stdout), []);
    // What cannot be read is made again.
    for (const file of kept) writeFileSync(join(cache, file), '{"inser');
    assert.equal(runIn(dir, 'main.mjs').stdout, first.stdout);
  });
});

suite('scope', () => {
  const FILES = {
    'src/a.mjs': 'export const o = { n: 1 }; o.n++',
    'src/b.mjs': 'export const o = { n: 1 }; o.n++',
    'node_modules/dep/package.json': '{ "name": "dep", "main": "x.js" }',
    'node_modules/dep/x.js': 'const o = { n: 1 }; o.n++',
    'node_modules/@s/dep/package.json': '{ "name": "@s/dep", "main": "x.js" }',
    'node_modules/@s/dep/x.js': 'const o = { n: 1 }; o.n++',
    'node_modules/alias/package.json': '{ "name": "real", "main": "x.js" }',
    'node_modules/alias/x.js': 'const o = { n: 1 }; o.n++',
    'main.mjs': `import './src/a.mjs'; import './src/b.mjs'; import 'alias'; import 'dep'; import '@s/dep'; ${print}`,
  };
  const CASES: readonly [string, object, readonly string[]][] = [
    ['the user’s sources', {}, ['main.mjs', 'src/a.mjs', 'src/b.mjs']],
    ['without the excluded', { exclude: ['src/b*', 'main.mjs'] }, ['src/a.mjs']],
    [
      'with a package',
      { instrument: ['dep'] },
      ['main.mjs', 'node_modules/dep/x.js', 'src/a.mjs', 'src/b.mjs'],
    ],
    [
      'with a scoped package',
      { instrument: ['@s/dep'] },
      ['main.mjs', 'node_modules/@s/dep/x.js', 'src/a.mjs', 'src/b.mjs'],
    ],
    [
      'with a package under an alias',
      { instrument: ['real'], exclude: ['*.mjs', 'src/*'] },
      ['node_modules/alias/x.js'],
    ],
    [
      'with the alias of a package',
      { instrument: ['alias'], exclude: ['*.mjs', 'src/*'] },
      ['node_modules/alias/x.js'],
    ],
    [
      'with a glob over package names',
      { instrument: ['de*', '@s/*'] },
      ['main.mjs', 'node_modules/@s/dep/x.js', 'node_modules/dep/x.js', 'src/a.mjs', 'src/b.mjs'],
    ],
    [
      'with a glob',
      { instrument: ['node_modules/**'], exclude: ['*.mjs', 'src/*'] },
      ['node_modules/@s/dep/x.js', 'node_modules/alias/x.js', 'node_modules/dep/x.js'],
    ],
  ];
  for (const [title, config, expected] of CASES) {
    test(title, () => {
      const { stdout, stderr } = runIn(project(FILES), 'main.mjs', config);
      assert.deepEqual(filesOf(stdout || stderr), expected);
    });
  }
});

suite('robustness', () => {
  test('a syntax error is Node’s own', () => {
    const dir = project({ 'main.mjs': 'const a = 1;\nconst a = 2;' });
    const { status, stderr } = runIn(dir, 'main.mjs');
    assert.equal(status, 1);
    assert.match(stderr, /main\.mjs:2/);
    assert.match(stderr, /SyntaxError: Identifier 'a' has already been declared/);
    assert.doesNotMatch(stderr, /babel/i);
  });

  test('stack traces name the user’s lines', () => {
    const dir = project({
      'main.ts':
        'interface A { n: number }\nconst o = { n: 1 } as A;\nasync function f(): Promise<void> {\n  await null; o.n++;\n  throw new Error("here");\n}\nawait f();',
      'package.json': '{ "type": "module" }',
    });
    const { stderr } = runIn(dir, 'main.ts');
    assert.match(stderr, /main\.ts:5/);
  });

  test('functions hoisted over an import cycle run before their module does', () => {
    const dir = project({
      'main.mjs':
        'import { b } from "./b.mjs"; export function a(o, x = o.n) { o.n++; return [o.n, x] } console.log(b)',
      'b.mjs': 'import { a } from "./main.mjs"; export const b = String(a({ n: 1 }))',
    });
    const { stdout, stderr } = runIn(dir, 'main.mjs');
    assert.equal(stdout, '2,1\n', stderr);
  });

  test('a cache that cannot be written is no error', () => {
    const dir = project({ 'main.mjs': `const o = { n: 1 }; o.n++; ${print}`, blocked: '' });
    const { status, stdout } = runIn(dir, 'main.mjs', { cacheDir: 'blocked/cache' });
    assert.equal(status, 0);
    assert.deepEqual(filesOf(stdout), ['main.mjs']);
  });

  test('workers are instrumented, too', () => {
    const dir = project({
      'main.mjs': `import { Worker } from 'node:worker_threads';
        new Worker(new URL('./w.mjs', import.meta.url)).on('message', (m) => console.log(JSON.stringify(m)))`,
      'w.mjs': `import { parentPort } from 'node:worker_threads'; const o = { n: 1 }; o.n++; parentPort.postMessage(${POINTS})`,
    });
    assert.deepEqual(filesOf(runIn(dir, 'main.mjs').stdout), ['w.mjs']);
  });

  test('an empty file, a shebang, a byte order mark, a file with nothing to see', () => {
    const dir = project({
      'main.mjs':
        '#!/usr/bin/env node\nimport "./empty.mjs"; import "./bom.mjs"; import "./plain.cjs"; const o = {}; o.k = 1; console.log(o.k)',
      'empty.mjs': '',
      'bom.mjs': '\uFEFF"use strict"; const o = {}; o.k = 1',
      'plain.cjs': 'module.exports = 1',
    });
    const { stdout, stderr } = runIn(dir, 'main.mjs');
    assert.equal(stdout, '1\n', stderr);
  });

  test('a configuration that is wrong is one clear line', () => {
    const dir = project({ 'main.mjs': '' });
    const { status, stderr } = runIn(dir, 'main.mjs', { exclude: 'src' });
    assert.notEqual(status, 0);
    assert.match(stderr, /UNWEAVE_CONFIG: exclude is not a list/);
  });

  test('processes that start together share one cache', async () => {
    const { spawn } = await import('node:child_process');
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`m${i}.mjs`, `export const o = { n: ${i} }; o.n++`]),
    );
    const dir = project({
      ...files,
      'main.mjs': `${Object.keys(files)
        .map((name) => `import './${name}'`)
        .join(';')}; ${print}`,
    });
    const register = new URL('../../../monitor/register.ts', import.meta.url).href;
    const runs = Array.from({ length: 3 }, () => {
      const child = spawn(process.execPath, ['--import', register, 'main.mjs'], { cwd: dir });
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      return new Promise<string>((resolve) => child.on('close', () => resolve(out)));
    });
    for (const out of await Promise.all(runs)) assert.equal(filesOf(out).length, 21);
    const cache = join(dir, '.unweave/cache');
    for (const file of readdirSync(cache)) {
      assert.match(file, /^[0-9a-f]{64}\.json$/);
      JSON.parse(readFileSync(join(cache, file), 'utf8'));
    }
  });
});

test('Node’s compile cache serves processes with us and without, and none undoes what the other left', () => {
  const url = (path: string): string => new URL(`../../../${path}`, import.meta.url).href;
  const dir = project({
    'package.json': '{ "type": "module" }',
    'main.js': `await import('${url('data/run.ts')}');`,
  });
  const env = { NODE_COMPILE_CACHE: join(dir, 'compiled'), NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const told = (...args: string[]): string => {
    const options = { cwd: dir, encoding: 'utf8', env: { ...process.env, ...env } } as const;
    return spawnSync(process.execPath, [...args, 'main.js'], options).stderr;
  };
  told();
  for (const text of [told('--import', url('monitor/register.ts')), told()]) {
    assert.match(text, /data\/run\.ts was accepted/);
    assert.doesNotMatch(text, /was rejected/);
  }
});

test('what was compiled serves the next process, unless somebody measures coverage', () => {
  const url = (path: string): string => new URL(`../../../${path}`, import.meta.url).href;
  const dir = project({ 'package.json': '{ "type": "module" }', 'main.js': 'export const n = 1;' });
  const cacheDir = join(dir, 'cache');
  const told = (env: Record<string, string>): string => {
    const set = {
      UNWEAVE_CONFIG: JSON.stringify({ cwd: dir, cacheDir }),
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    };
    // The tests themselves run with a cache.
    const { NODE_COMPILE_CACHE: _, NODE_V8_COVERAGE: __, ...own } = process.env;
    const options = { cwd: dir, encoding: 'utf8', env: { ...own, ...set, ...env } } as const;
    const imports = ['monitor/loader/own-modules.ts', 'monitor/register.ts'];
    const args = imports.flatMap((path) => ['--import', url(path)]);
    return spawnSync(process.execPath, [...args, 'main.js'], options).stderr;
  };
  told({ NODE_V8_COVERAGE: join(dir, 'coverage') });
  assert.ok(!existsSync(join(cacheDir, 'compiled')));
  told({});
  const text = told({});
  for (const file of [/monitor\/begin\.ts was accepted/, /main\.js was accepted/]) assert.match(text, file);
});

suite('without hooks', () => {
  test('a text is instrumented by path, and keeps its points when it comes again', async () => {
    const { configure, defaultConfig, instrumentFile } = await import('../../../monitor/loader/index.ts');
    const dir = project({});
    configure(defaultConfig(dir));
    const source = 'const o = { n: 1 };\no.n++;\n';
    const path = join(dir, 'x.js');
    const first = instrumentFile(path, source, 'module')!;
    assert.match(first.code, /__cov\.rw\(\d+,o\)/);
    assert.equal(first.code.split('\n').length, 3);
    assert.equal(instrumentFile(path, source, 'module'), first);
    assert.equal(instrumentFile(path, 'not ( javascript', 'module'), null);
    assert.equal(instrumentFile(join(dir, 'x.json'), '{}', 'json'), null);
    assert.equal(instrumentFile('/elsewhere/x.js', source, 'module'), null);
    assert.equal(instrumentFile(path, 'var __cov = 1; o.k', 'commonjs'), null);
    assert.ok(existsSync(join(dir, '.unweave/cache')));
  });
});

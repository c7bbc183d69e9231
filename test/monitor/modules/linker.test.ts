import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { foreignExtension } from '../../../monitor/loader/own-require.ts';
import { createLinker, NotLinkable } from '../../../monitor/modules/linker.ts';
import { temporary } from '../../temporary.ts';
import { CASES } from './cases.ts';

setFlagsFromString('--expose-gc');
const root = temporary('unweave-linker');
// What kind of module a `.js` file is must not depend on folders above.
writeFileSync(join(root, 'package.json'), '{}');

let count = 0;
/** Writes files into a new folder; the path of the first. */
function project(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(root, `p${count++}-`));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return join(dir, Object.keys(files)[0]!);
}

type Extension = (module: { _compile: (text: string, file: string) => void }, file: string) => void;

const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
const globals = globalThis as unknown as { log: unknown[] };

async function logOf(run: () => Promise<unknown>): Promise<unknown[]> {
  const log: unknown[] = (globals.log = []);
  await run();
  await settle();
  return log;
}

const linkerFor = () => createLinker({ isFresh: (file) => file.startsWith(root), transform: (text) => text });

describe('modules run as Node runs them, with fresh state each time', () => {
  for (const { name, files } of CASES) {
    test(name, async () => {
      const native = await logOf(() => import(pathToFileURL(project(files)).href));
      assert.ok(native.length > 0);
      const entry = project(files);
      const linker = linkerFor();
      await linker.load(entry);
      for (let i = 0; i < 3; i++) {
        assert.deepEqual(await logOf(() => linker.instance().import(entry)), native);
      }
    });
  }
});

test('what the loaders of the process give runs alike', async (t) => {
  const options = { isFresh: (file: string) => file.startsWith(root), transform: (text: string) => text };
  let same = 0;
  for (const { name, files } of CASES) {
    const native = await logOf(() => import(pathToFileURL(project(files)).href));
    const entry = project(files);
    const linker = createLinker({ ...options, viaLoaders: 'import' });
    const runs = async () => {
      await linker.load(entry);
      return [
        await logOf(() => linker.instance().import(entry)),
        await logOf(() => linker.instance().import(entry)),
      ];
    };
    await t.test(name, async () => {
      try {
        assert.deepEqual(await runs(), [native, native]);
        same += 1;
      } catch (error) {
        if (!(error instanceof NotLinkable)) throw error;
        assert.match(error.message, /loaders|CommonJS/);
        // Nothing that was half loaded is used.
        await assert.rejects(runs, NotLinkable);
      }
    });
  }
  assert.equal(same, CASES.length - 1);
});

test('what others have put in the way of `require` runs as they rewrite it', async (t) => {
  const extensions = createRequire(import.meta.url).extensions as unknown as Record<string, Extension>;
  const native = extensions['.js']!;
  t.after(() => {
    extensions['.js'] = native;
    delete extensions['.upper'];
  });
  // As `pirates` does it, with which babel-register and others hook in.
  extensions['.js'] = (module, file) => {
    const compile = module._compile;
    module._compile = (text, name) => {
      module._compile = compile;
      module._compile(text.replace('export default', 'module.exports ='), name);
    };
    native(module, file);
  };
  extensions['.upper'] = (module, file) => module._compile('globalThis.log.push("fresh");', file);
  assert.ok(foreignExtension('.js'));
  assert.equal(foreignExtension('.cjs'), null);
  const files = {
    'a.js': `const b = require('./b'); ${'globalThis.log.push(b.name, typeof require("./c.upper"), n++);'} var n; n = 1;`,
    'b.js': 'export default { name: "b" };',
    'c.upper': 'not JavaScript',
  };
  const expected = await logOf(async () => createRequire(import.meta.url)(project(files)));
  assert.deepEqual(expected, ['fresh', 'b', 'object', Number.NaN]);
  const linker = linkerFor();
  const entry = project(files);
  await linker.load(entry);
  for (let i = 0; i < 2; i++) assert.deepEqual(await logOf(() => linker.instance().import(entry)), expected);
  assert.equal(linker.hasOthersText(), true);
});

test('main is the file the process was started with', async () => {
  const entry = project({
    'a.cjs': 'exports.main = require.main === module; exports.b = require("./b.mjs").main;',
    'b.mjs': 'export const main = import.meta.main;',
  });
  const linker = linkerFor();
  const exports = async (main?: string) => {
    const ns = await linker.instance(main).import(entry);
    return [ns['main'], ns['b']];
  };
  assert.deepEqual(await exports(entry), [true, false]);
  assert.deepEqual(await exports(entry.replace('a.cjs', 'b.mjs')), [false, true]);
  assert.deepEqual(await exports(), [false, false]);
});

test('where a runner was started, it is the main module of those that it loads', async () => {
  const linker = linkerFor();
  const entry = project({ 'a.cjs': 'const { id, filename } = require.main; exports.main = [id, filename];' });
  const { main } = await linker.instance('/x/runner.js').import(entry);
  assert.deepEqual(main, ['.', '/x/runner.js']);
});

test('packages and built-in modules are shared by all runs', async () => {
  const entry = project({
    'a.mjs': `import s from './shared.mjs'; import fs from 'node:fs'; s.n++; export default s.n; export { fs };`,
    'shared.mjs': 'export default { n: 0 };',
  });
  const linker = createLinker({ isFresh: (f) => f === entry, transform: (text) => text });
  assert.equal((await linker.instance().import(entry))['default'], 1);
  assert.equal((await linker.instance().import(entry))['default'], 2);
});

test('given modules replace loaded ones, for import and require', async () => {
  const entry = project({
    'a.mjs': `import { k } from 'node:os'; import c from './c.cjs'; export default [k, c];`,
    'c.cjs': 'module.exports = require("node:os");',
  });
  const linker = createLinker({
    isFresh: () => true,
    transform: (text) => text,
    provided: new Map([['node:os', { k: 'given', 'module.exports': 'whole' }]]),
  });
  assert.deepEqual((await linker.instance().import(entry))['default'], ['given', 'whole']);
});

describe('what Node would refuse is refused', () => {
  const loading = (files: Record<string, string>) => linkerFor().load(project(files));
  test('a missing name', () =>
    assert.rejects(loading({ 'a.mjs': `import { x } from './b.mjs';`, 'b.mjs': '' }), {
      name: 'SyntaxError',
      message: /'\.\/b\.mjs' does not provide an export named 'x'/,
    }));
  test('a missing file', () =>
    assert.rejects(loading({ 'a.mjs': `import './b.mjs';` }), { code: /ENOENT|ERR_MODULE_NOT_FOUND/ }));
  test('a missing package', () =>
    assert.rejects(loading({ 'a.mjs': `import 'no-such-package-here';` }), { code: 'ERR_MODULE_NOT_FOUND' }));
  test('broken syntax', () => assert.rejects(loading({ 'a.mjs': 'let = = 1' }), SyntaxError));
});

describe('what cannot be rewritten is said so', () => {
  for (const [name, text] of Object.entries({
    eval: `import { x } from './b.mjs'; eval('x');`,
    assignment: `import { x } from './b.mjs'; export const f = () => { x = 1; };`,
  })) {
    test(name, () =>
      assert.rejects(linkerFor().load(project({ 'a.mjs': text, 'b.mjs': 'export let x;' })), NotLinkable),
    );
  }
  test('export * from CommonJS', () =>
    assert.rejects(
      linkerFor().load(project({ 'a.mjs': `export * from './b.cjs';`, 'b.cjs': '' })),
      NotLinkable,
    ));
});

test('nothing of a run outlives it', async () => {
  const entry = project({
    'a.mjs': `import { grow } from './b.mjs'; import * as ns from './b.mjs'; const c = await import('./c.cjs');
      let bulk = new Uint8Array(1e4); export const f = () => [bulk, ns]; grow(c); export { grow };`,
    'b.mjs': 'const kept = []; export const grow = (x) => kept.push(x, new Array(1000)); await null;',
    'c.cjs': 'exports.d = require("./d.mjs"); exports.list = new Array(1000);',
    'd.mjs':
      'export let n = 0; export class D { static all = []; constructor() { D.all.push(this) } } new D();',
  });
  const linker = linkerFor();
  const run = async (times: number) => {
    for (let i = 0; i < times; i++) await linker.instance().import(entry);
    for (let i = 0; i < 3; i++) {
      await settle();
      runInNewContext('gc')();
    }
    return process.memoryUsage().heapUsed;
  };
  await run(2000);
  const before = await run(100);
  const grown = (await run(10_000)) - before;
  assert.ok(grown < 2e6, `${grown} bytes more after 10,000 runs`);
});

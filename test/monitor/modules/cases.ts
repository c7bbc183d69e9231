/** Small programs that log into `globalThis.log`; the linker must make them log what Node makes them log. */
export interface Case {
  readonly name: string;
  /** The first file is the entry. */
  readonly files: Readonly<Record<string, string>>;
}

const log = (e: string) => `globalThis.log.push(${e});`;

export const CASES: readonly Case[] = [
  {
    name: 'named, default, namespace and renamed imports are live',
    files: {
      'a.mjs': `import d, { n, inc, n as m } from './b.mjs';\nimport * as ns from './b.mjs';\n
        ${log('[d(), n, m, ns.n]')} inc(); ${log('[n, m, ns.n, Object.keys(ns), { n }, typeof n]')}
        ${log('Object.prototype.toString.call(ns), Object.getPrototypeOf(ns), Object.isExtensible(ns)')}`,
      'b.mjs': `export let n = 0;\nexport function inc() { n++; }\nexport default function () { return 'd'; }`,
    },
  },
  {
    name: 'names of default exports',
    files: {
      'a.mjs': `import f from './f.mjs'; import c from './c.mjs'; import w from './w.mjs'; import v from './v.mjs';
        import k from './k.mjs'; import g from './g.mjs'; import y from './y.mjs';
        ${log('[f.name, c.name, w.name, v, new k().x, k.name, [...g()], y.name]')}`,
      'f.mjs': 'export default async function () {}',
      'c.mjs': 'export default class { }',
      'w.mjs': 'export default /* why */ // not\n () => 1;',
      'v.mjs': 'const v = 1\nexport default v + (2)\n',
      'k.mjs': 'export default class K { x = 1 }',
      'g.mjs': 'export default function* () { yield 1 }',
      'y.mjs': 'export default (function () {})',
    },
  },
  {
    name: 'cycle with hoisted functions and dead zones',
    files: {
      'a.mjs': `import { fromB } from './b.mjs'; export function early() { return 'early'; } export const late = 1; ${log('fromB')}`,
      'b.mjs': `import { early, late } from './a.mjs'; import hoisted from './a2.mjs'; export const fromB = early();
        let dead; try { dead = late; } catch (e) { dead = e.name; } ${log('[dead, hoisted(), hoisted.name]')}`,
      'a2.mjs': `import './b.mjs'; export default function () { return 2; }`,
    },
  },
  {
    name: 're-exports and stars',
    files: {
      'a.mjs': `import * as ns from './all.mjs'; import { x, y as why, sub } from './all.mjs';
        ${log('[Object.keys(ns).sort(), x, why, sub.z, ns.dflt, ns.twice]')}`,
      'all.mjs': `export * from './p.mjs'; export * from './q.mjs'; export * as sub from './q.mjs';
        export { default as dflt } from './p.mjs'; import { x } from './p.mjs'; export { x as twice }; export const y = 'own';`,
      'p.mjs': 'export const x = 1, y = 2, clash = 1; export default "p";',
      'q.mjs': `export const z = 3, clash = 2; export { x } from './p.mjs';`,
    },
  },
  {
    name: 'missing semicolons and calls of imports',
    files: {
      'a.mjs': `let a = 1
import { f, tag, K, self } from './b.mjs'
(0, globalThis.log.push('paren'))
let b = a
f()
let c = b
tag\`t\`
if (c) f()
if (c)
  f()
else f()
for (let i = 0; i < 1; i++) f()
switch (c) { case 1:
  let d = c
  f() }
new K()
new K
${log('[self() === undefined, f?.(), c, new K().constructor === K]')}
class L extends K {}
export { a }
(globalThis.log.push('after'))
export default [new L() instanceof K, { f }.f === f]`,
      'b.mjs': `export function f() { globalThis.log.push(['f', this === undefined]) }
        export const tag = (s) => { globalThis.log.push(s[0]) }; export class K { constructor() { globalThis.log.push('K') } }
        export function self() { return this }`,
    },
  },
  {
    name: 'shadowed imports',
    files: {
      'a.mjs': `import { x } from './b.mjs';
        function f(x) { return x; } { let x = 3; ${log('x')} } ${log('[f(2), x, ((x = 5) => x)(), ((y = x) => y)()]')}
        const { x: z = x } = {}; ${log('z')} class A { x = x; static x() { return x; } } ${log('[new A().x, A.x()]')}`,
      'b.mjs': 'export const x = 1;',
    },
  },
  {
    name: 'top-level await: dependants wait, siblings overlap',
    files: {
      'a.mjs': `import { v } from './b.mjs'; import './c.mjs'; ${log("['a', v]")}`,
      'b.mjs': `${log("'b1'")} await new Promise((r) => setTimeout(r, 5)); ${log("'b2'")} export const v = await 7; for await (const q of [1]) ${log('q')}`,
      'c.mjs': `${log("'c1'")} await null; ${log("'c2'")}`,
    },
  },
  {
    name: 'dynamic import, import.meta, this',
    files: {
      'a.mjs': `${log('[this, typeof arguments2, import.meta.url.slice(-5), import.meta.dirname === import.meta.filename.slice(0, -6), import.meta.resolve("./b.mjs").slice(-5)]')}
        const b = await import('./b.mjs'); b.inc(); const name = './b.mjs'; const again = await import(name);
        ${log('[b.n, again === b, (await import("./c.cjs")).default.k]')}
        try { await import('./nowhere.mjs') } catch (e) { ${log('e.code')} }`,
      'b.mjs': 'export let n = 0; export const inc = () => { n++ };',
      'c.cjs': 'exports.k = 3;',
    },
  },
  {
    name: 'CommonJS: cycle, cache, json, exports replaced, this',
    files: {
      'a.cjs': `#!/usr/bin/env node
        const b = require('./b.cjs'); exports.done = true; ${log('[b.seen, b.k, this === exports, __filename.slice(-5), module.id.slice(-5), require.resolve("./b.cjs").slice(-5)]')}
        const j = require('./d.json'); j.n++; ${log('[require("./d.json").n, require("./e")(), __filename in require.cache]')}
        delete require.cache[require.resolve('./b.cjs')]; ${log('require("./b.cjs") === b')}
        import('./m.mjs').then((m) => globalThis.log.push(m.default)); ${log('module.children.length >= 0, module.paths.length > 0, module.loaded')}`,
      'b.cjs': `const a = require('./a.cjs'); exports.seen = a.done; exports.k = 1;`,
      'd.json': '{"n":1}',
      'e.js': 'module.exports = () => "e";',
      'm.mjs': 'export default "m";',
    },
  },
  {
    name: 'CommonJS: who requires whom',
    files: {
      'a.cjs': `const b = require('./b.cjs'); require('./c.cjs'); require('./c.cjs');
        ${log('[b, module.parent, module.children.map((m) => m.id.slice(-5)), require.cache[require.resolve("./b.cjs")].children.length]')}`,
      'b.cjs': `if (!module.parent) { ${log('"started alone"')} }
        require('./c.cjs'); exports.by = module.parent.filename.slice(-5); exports.main = require.main === module;`,
      'c.cjs': `${log('[module.parent.id.slice(-5), module.parent.loaded]')}`,
    },
  },
  {
    name: 'CommonJS: what is put into the cache of require is required',
    files: {
      'a.cjs': `const p = require.resolve('p'); require.cache[p] = { exports: 'mine' }; require.cache.path = { exports: 'too' };
        ${log('[require("p"), require("path"), typeof require("node:path").join, require("./b.cjs")]')}
        try { require('node:nowhere'); } catch (e) { ${log('e.code')} }
        delete require.cache.path; ${log('typeof require("path").join')}`,
      'b.cjs': `module.exports = require('p');`,
      'node_modules/p/index.js': `module.exports = 'theirs';`,
    },
  },
  {
    name: 'modules of both kinds use each other',
    files: {
      'a.mjs': `import c, { k, nope as other } from './c.cjs'; import * as ns from './c.cjs'; import j from './j.json' with { type: 'json' };
        ${log('[c.k, k, other, ns.default === c, j.v]')}`,
      'c.cjs': `const m = require('./m.mjs'); exports.k = m.v; exports.nope = m.default;`,
      'm.mjs': 'export const v = 4; export default 5;',
      'j.json': '{"v":1}',
    },
  },
  {
    name: 'types are stripped',
    files: {
      'a.ts': `import { type T, make } from './b.ts';\nimport type { U } from './b.ts';\nconst t: T = make(1 as number);\n${log('t satisfies T')}\nexport type { U };`,
      'b.ts': `export interface T { n: number }\nexport type U = T;\nexport function make<N extends number>(n: N): T { return { n } }`,
    },
  },
  {
    name: 'built-in modules and destructured exports',
    files: {
      'a.mjs': `import fs, { existsSync } from 'node:fs'; import { basename } from 'path'; import { a, b, rest, last } from './b.mjs';
        ${log('[fs.existsSync === existsSync, basename("/x/y"), a, b, rest, last]')}`,
      'b.mjs':
        'export const { a, o: { b = 2 } = {}, ...rest } = { a: 1, z: 26 }; export var [, last] = [1, 9];',
    },
  },
  {
    name: 'an error while evaluating is given to everybody',
    files: {
      'a.mjs': `for (const f of ['./b.mjs', './b.mjs', './c.mjs', './t.mjs']) { try { await import(f) } catch (e) { ${log('[e.message, e.stack.split("\\n")[1].replace(/^.*\\//, "").replace(/\\)/, "")]')} } }`,
      'b.mjs': `import './c.mjs'; ${log("'not reached'")}`,
      'c.mjs': `/* column */ throw new Error('c');`,
      't.mjs': `import './d.mjs'; ${log("'not reached'")}`,
      'd.mjs': `\nawait 1; throw new Error('d');`,
    },
  },
  {
    name: 'class, function and generator declarations that are exported',
    files: {
      'a.mjs': `import { C, f, g, h } from './b.mjs'; ${log('[new C().k, f(), [...g()], await h(), C.name, f.name]')}`,
      'b.mjs': `export class C { #p = 1; get k() { return this.#p } static { C.s = 1 } }
        export function f() { return C.s } export function* g() { yield 1 } export async function h() { return 'h' }`,
    },
  },
  {
    name: 'string names',
    files: {
      'a.mjs': `import { 'a-b' as ab } from './b.mjs'; ${log('ab')}`,
      'b.mjs': `const x = 1; export { x as 'a-b' };`,
    },
  },
  {
    name: 'modules that import each other when they run',
    files: {
      'a.mjs': `log.push('a'); await Promise.all([import('./b.mjs'), import('./b.mjs')]); log.push('a again'); export const a = 1;`,
      'b.mjs': `log.push('b'); setTimeout(async () => log.push((await Promise.all([import('./a.mjs'), import('./a.mjs')]))[1].a));`,
    },
  },
  {
    name: 'order of evaluation, whatever names a module',
    files: {
      'a.mjs': `export * from './b.mjs'; import './c.mjs'; export { d } from './d.mjs'; import './e.mjs';`,
      'b.mjs': `log.push('b');`,
      'c.mjs': `log.push('c');`,
      'd.mjs': `log.push('d'); export const d = 1;`,
      'e.mjs': `log.push('e');`,
    },
  },
  {
    name: 'a module with top-level await runs up to that before those that come after it',
    files: {
      'a.mjs': `import { x } from './b.mjs'; import './c.mjs'; import * as b from './b.mjs'; log.push('a', x, b.x, Object.keys(b));`,
      'b.mjs': `log.push('b'); globalThis.ready = 'ready'; export const x = await 5; log.push('b again'); export let y = 1;`,
      'c.mjs': `log.push('c', globalThis.ready); delete globalThis.ready;`,
    },
  },
  {
    name: 'a name that one star export leads around to itself, and another one gives',
    files: {
      'a.mjs': `import { foo } from './b.mjs'; log.push(foo);`,
      'b.mjs': `export * from './c.mjs'; export * from './d.mjs';`,
      'c.mjs': `export { foo } from './b.mjs';`,
      'd.mjs': `export let foo = 42;`,
    },
  },
  {
    name: 'a namespace keeps its names',
    files: {
      'a.mjs': `import * as b from './b.mjs';
        const no = (f) => { try { f(); log.push('done') } catch (e) { log.push(e.name) } };
        no(() => delete b.x); no(() => Object.defineProperty(b, 'x', { value: 2 })); no(() => { b.x = 3 }); log.push(b.x);`,
      'b.mjs': `export const x = 1;`,
    },
  },
];

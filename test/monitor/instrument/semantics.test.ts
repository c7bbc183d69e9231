/** Programs behave as without instrumentation: same values, same errors, same names, same lines. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { runInThisContext } from 'node:vm';
import { runtime } from '../../../monitor/runtime/index.ts';
import { prepare } from './helpers.ts';

/** What running a text gives: the value, or the error with its name, message and first line. */
async function outcome(code: string): Promise<string> {
  try {
    return inspect(await runInThisContext(code, 'snippet.js'), { depth: 6, showHidden: true, sorted: true });
  } catch (error) {
    const { name, message, stack } = error as Error;
    return `${name}: ${message} at line ${/snippet\.js:(\d+)/.exec(stack ?? '')?.[1]}`;
  }
}

/** Bodies of functions; sync unless they say `await`. Each returns what could have changed. */
const SNIPPETS: readonly string[] = [
  // Statements without semicolons
  'let o = {}\nlet x = o\no.k = 1\no.f = () => 2\nconst y = o.f\n;[x.a, x.b] = [1, 2]\nreturn [o, y(), x]',
  'let o = { n: 1 }, r = []\nlet s = o\n++o.n\no.n++\nr.push(o.n)\nif (o) o.k = 1\nelse o.k = 2\nreturn [o, r, s === o]',
  '"use strict"\nconst o = {}; o.k = 1\nreturn (function () { "use strict"\n(o).j = this\nreturn o })()',
  'let i = 0\nconst f = () => i\ni\n++i\nreturn f() + i',
  // Evaluation order
  'const l = []; const t = (x) => (l.push(x), x); const o = {}; (t(o))[t("k")] = t(1); o[t("k")] += t(2); return [l, o]',
  'let a = [1, 2], i = 0; a[i++] = a[i++] + 10; let b = a; a[0] = a = [9]; return [a, b, i]',
  'let o = { k: { n: 1 } }; const p = o; o.k.n = (o = { k: { n: 5 } }).k.n; return [o, p]',
  'const l = []; const o = { get k() { l.push("get"); return { set x(v) { l.push(v) } } } }; o.k.x = (l.push("rhs"), 3); return l',
  'const l = []; const key = { toString() { l.push("key"); return "k" } }; const o = {}; o[key] = (l.push("rhs"), 1); o[key]++; delete o[key]; return [l, o]',
  'return null[(() => { throw new RangeError("first") })()]',
  'return undefined.x',
  'const o = null; o.k = (() => { throw new RangeError("rhs first") })()',
  'const o = undefined; return o.a.b',
  'return (void 0)?.a.b.c(d)[e]',
  'const l = []; const o = { get a() { l.push("a"); return { get b() { l.push("b"); return { c: 1, f() { return this.c } } } } } }; return [o?.a.b.c, o?.a.b.f(), (o?.a.b).c, o?.a?.b.f?.(), l]',
  'const l = []; const k = (v) => ({ toString() { l.push(v); return v } }); const o = { a: { b: { c: 1, f() { return this.c } } } }; return [o?.a[k("b")].c, o?.[k("a")][k("b")].f(), o?.a[k("b")]?.[k("c")], o?.["a"].b[k("x")], null?.a[k("y")], delete o?.a[k("b")], (o?.[k("a")][k("b")])?.c, o?.n?.[k("z")][k("z")], l]',
  'const n = null; const f = () => n?.a[later]; const r = f(); let later = "x"; return [r, n?.a[missing]?.b]',
  'const f = async (o, k) => [await o?.a[await k].b[await k], o?.a[k]]; const a = { k: { b: { k: 1 } } }; return Promise.all([f({ a }, "k"), f(null, "k")]).then(JSON.stringify)',
  'let i = 0; const g = () => ({ a: [1, 2, 3] }); return [g()?.a[i++], g()?.a[i++], i, g?.()?.a[g()?.a[i - 1] - 1]]',
  'const o = {}; return o?.a[0]',
  'const o = { a: null }; return o?.a.b.c',
  'const f = (o) => o?.a.b?.c.d; return [f(null), f({ a: {} }), f({ a: { b: { c: { d: 1 } } } }), f({ a: { b: null } })]',
  'const g = () => ({ a: { f() { return this.n }, n: 4 } }); return [g()?.a.f(), (g()?.a.f)(), delete g()?.a.n, g()?.a["f"](), g()?.a.f?.name]',
  'const m = new Map([["k", 1]]); const o = { m }; return [o?.m.get("k"), o?.m.set("j", 2).size, o?.m.delete("k"), o?.m.get(...["j"])]',
  'const o = { p: new Proxy({ q: { r: 1 } }, { get: (t, k) => t[k], getOwnPropertyDescriptor() { throw 1 } }) }; const { p: { q: { r } } } = o; return [o?.p.q.r, r]',
  'const l = []; const o = { get a() { l.push("a"); return { b: undefined } } }; const { a: { b: { c = 1 } = {}, "x.y": z = 2 }, ...rest } = o; return [c, z, rest, l]',
  'const o = {}; const k = { toString() { l.push("k"); return "x" } }, l = []; Object.defineProperty(o, k, { value: 1, enumerable: true }); return [o, Object.hasOwn(o, k), o.hasOwnProperty(k), Reflect.get(o, "x"), Reflect.set(o, "y", 2), l]',
  'const { setTimeout: t } = globalThis; const x = setTimeout(() => {}, ...[1]); clearTimeout(x); return [typeof t, new Map([[1, 2]]), new Set("ab"), Array.from("ab", (c) => c + c), new Uint8Array(2)]',
  'const l = [], t = (x) => (l.push(x), x), o = {}; Reflect.set(t(o), t("k"), t(1)); Object.defineProperty(o, t("j"), { value: t(2) }); const v = new Int32Array(2); return [Atomics.add(v, t(1), t(5)), Atomics.store(v, t(0), await t(6)), Atomics.load(v, 1), Object.assign(o, t({ a: 1 }), await t({ b: 2 }), t({ c: 3 })), l, new DataView(v.buffer).getInt8(4)]',
  'const e = new AbortController(); e.signal.onabort = () => {}; e.abort(); try { e.signal.throwIfAborted() } catch (x) { return [x.name, [].at.call([1], -1), [1].at(Object(0))] }',
  // Patterns in heads
  'const f = ({ a, b: [c = 2, { d } = { d: 7 }] = [] }, x = 1, ...r) => [a, c, d, x, r]; return [f({ a: 1 }), f.length, f.name, f({ a: 1, b: [3, { d: 4 }] }, 5, 6)]',
  'class A { constructor({ n }) { this.n = n } m({ n }, y) { var n; return [n, y, arguments.length, arguments[0]] } set s({ v }) { this.v = v } static async t({ n }) { return n } } const a = new A({ n: 1 }); a.s = { v: 2 }; return [a, a.m({ n: 3 }), A.length, a.m.length, await A.t({ n: 5 })]',
  'function f({ g }) { return g(); function g() { return 2 } } return f({ g: 1 })',
  'function f({ a }, b = a, { c } = { c: b }) { return [a, b, c] } return [f({ a: 1 }), f.length]',
  'function f({ a }) { "a"; const g = () => a; a++; return [a, g(), arguments[0].a] } return f({ a: 1 })',
  'const f = ({ [("a", "b")]: x, "y z": y, /* } */ z = "}" }) => [x, y, z]; return [f({ b: 1, "y z": 2 })]',
  'const f = async ({ a }) => a; let e; try { const p = f(); await p } catch (x) { e = x.name } return [e, await f({ a: 1 })]',
  'const g = function* ({ a }) { yield a }; try { g() } catch (e) { return [e.name, [...g({ a: 1 })]] }',
  'const l = [], fs = []; for (const { a, ...r } of [{ a: 1, b: 2 }, { a: 3 }]) { l.push(a, r); fs.push(() => a) } for (let { a } of [{ a: 5 }]) a++, fs.push(() => a); for (var { a } of [{ a: 8 }]); for (const { a } of [{ a: 1 }]) { const a = 2; l.push(a) } for (const [k, { n }] of Object.entries({ x: { n: 1 } })) if (n) l.push(k, n); else l.push(0); return [l, fs.map((f) => f()), a]',
  'const l = []; o: for await (const { a } of [{ a: 1 }, Promise.resolve({ a: 2 }), { a: 3 }]) { if (a === 2) continue o; l.push(a) } return l',
  'const l = [], o = { get a() { l.push("get"); return 1 } }, t = (x) => (l.push(x), x); const { [t("a")]: x, [t("b")]: y = t("dflt") } = (t("o"), o); let z; ({ [t("a")]: z } = (t("p"), o)); return [x, y, z, l]',
  'try { (({ a: { b } }) => b)({ a: null }) } catch (e) { return e.name }',
  'const f = (x, ...[{ a, b: { c } }, [d]]) => [a, c, d]; return [f(0, { a: 1, b: { c: 2 } }, [3]), f.length]',
  'const l = []; for await (const { f = () => {}, g = class {}, h = (function () {}) } of [{}]) l.push(f.name, g.name, h.name); try { throw {} } catch ({ k = () => {} }) { l.push(k.name) } return l',
  // Minified: keywords touch what follows
  'const a=(x)=>{if(x)return{a:1};else return[x]},b=function*(){const r=yield[1];return{r}},c=x=>{switch(x){case"s":return"k"in{k:1};default:return typeof[x]}};try{throw{e:1}}catch(e){return[a(1),a(0),[...b()],c("s"),c(1),e,void[1],delete{}.x,1 in[1,2],[1]instanceof Array]}',
  'const r=[];for(const x of[1,2])r.push(x);for(const k in{a:1})r.push(k);do{r.push(3)}while(0);const f=async()=>{await[1];return await{n:1}};r.push(await f());return r',
  // this
  'const o = { n: 3, f() { return this?.n } }; return [o.f(), o["f"](), (o.f)(), (0, o.f)() === undefined, o?.f(), o.f?.(), o?.["f"]?.()]',
  'class A { constructor() { this.x = 1 } get y() { return this.x } set y(v) { this.x = v } } class B extends A { constructor() { super(); this.y += super.y; super.z = 4 } m() { return super.y } } const b = new B(); return [b, b.m(), b.z]',
  'const o = { tag(s, ...v) { return [this === o, s.raw, v] } }; return [o.tag`a$`, o["tag`".slice(0, 3)]`x`]',
  'function F() { this.a = new.target === F } F.G = class { constructor(x) { this.x = x } }; const ns = { F }; return [new ns.F(), new F.G(1), new (ns.F), new ns.F, new (ns["F"].G)(2)]',
  // Names of functions
  'let f; const g = () => f; f = () => {}; g(); let h = 1; const r = () => h; h ??= function () {}; h = class {}; const o = {}; o.k = () => {}; o.j ??= () => {}; return [f.name, h.name, o.k.name, o.j.name]',
  'let f; const g = () => f; f ||= () => {}; return [f.name, g().name]',
  'const { a = () => {}, b = class {} } = {}; let c; const d = () => c; ({ c = () => {} } = {}); return [a.name, b.name, c.name, d.name]',
  // Closures and scopes
  'const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i++); return fs.map((f) => [f(), f()])',
  'let n = 0; function inc() { return n++ } inc(); inc(); { let n = 5; const g = () => n++; g(); return [n, inc()] }',
  'try { x; let x = 1; const f = () => x; x = 2 } catch (e) { return [e.name, e.message] }',
  'let x = 1; const f = () => x; const c = 1; try { c = 2 } catch (e) { return [e.name, e.message, f(x = 3)] }',
  'return typeof notDeclaredAnywhere + typeof (() => typeof x)(); var x',
  'var r = []; for (var k in { a: 1, b: 2 }) r.push(() => k); return r.map((f) => f())',
  'let x = 0; const f = () => x; for (x of [1, 2]) { } for (x in { z: 1 }) { } return f()',
  'function f(a, b = () => a) { a = 2; return [a, b()] } return f(1)',
  'function f(a) { a = 2; const g = () => a; return [arguments[0], g()] } return f(1)',
  'function f(a, a) { return a } return f(1, 2)',
  'function f() { return typeof g; function g() {} var g } return f()',
  'function f() { function g() { return 1 } function g() { return 2 } return g() } return f()',
  'async function f() { await null; return g(); function g() { return 1 } function g() { return 2 } } return await f()',
  'async function f(g) { var g; await null; return typeof g; function g() {} } return await f(1)',
  'if (true) { function h() { return 1 } } return h()',
  'let n = 1; const o = { n, m() { n += 1; return { n } } }; return [o.m(), o]',
  'switch (1) { case 0: let z; case 1: z = 4; const g = () => z; z++; return g() }',
  'label: for (const a of [1, 2]) { for (const b of [1]) continue label } return "ok"',
  // Objects of all kinds
  '"use strict"; const o = Object.freeze({ k: 1 }); try { o.k = 2 } catch (e) { return [e.name, e.message, o] }',
  'const o = Object.freeze({ k: 1 }); o.k = 2; return o',
  'const l = []; const p = new Proxy({ m: () => 1 }, { get(t, k, r) { l.push(String(k)); return t[k] }, has(t, k) { l.push("has"); return false }, getOwnPropertyDescriptor() { l.push("gopd") }, ownKeys() { l.push("keys"); return [] }, set(t, k, v) { l.push("set"); t[k] = v; return true } }); p.x; p.m(); p.x = 1; p.x++; "x" in p; ({ ...p }); Object.keys(p); const { y } = p; return l',
  'const m = new Map([["a", 1]]); class M extends Map { get(k) { return "mine" + super.get(k) } } const n = new M([["b", 2]]); return [m.get("a"), n.get("b"), n.size, [...n.keys()], m.set("c", 3) === m]',
  'class P { #x = 1; static #n = 0; #m() { return this.#x } static has(o) { return #x in o } go() { this.#x++; this.#x **= 2; P.#n += this.#m(); return [this.#x, P.#n, P.has(this), P.has({})] } } return new P().go()',
  'class S { static x = 1; static y = S.x + 1; static { S.z = S.y; S.a ??= S.z } z = this.constructor.y; ["c" + 1] = 2; static async m() { return await S.z } } return [S.x, S.y, S.z, S.a, new S(), await S.m()]',
  'const d = new Date(5); d.setTime(7); return [d.getTime(), d.toISOString(), +d]',
  'const t = new Uint8Array([1, 2]); t.set([5], 1); t[0] += 300; return [t, t.at(-1), t.length]',
  'const a = [3, 1, 2]; a.sort((x, y) => x - y).reverse(); a.length = 2; return [a, a.pop(), a.indexOf(3), [...a.entries()]]',
  'const o = { a: 1, b: { c: 2 } }; const { a, b: { c }, ...rest } = o; let x, y; [x, [y = 4] = []] = [1]; ({ a: o.z, ...o.rest } = o); return [a, c, rest, x, y, o]',
  'const o = { __proto__: { k: 1 } }; return [o.k, "k" in o, o.hasOwnProperty("k"), delete o.k, delete o?.k, Object.getPrototypeOf(o)]',
  'return [..."ab", ...new Set([1]), Math.max(...[1, 2])]',
  'const [a, b] = new Map([[1, 2]]); return [a, b]',
  'const o = {}; o.a = o.b = o.c = 1; o.d = (o.e = 2, 3); return o',
  'const o = {}; const x = 1 + (o.k = 2) * 3; return [x, o, (o.k, 5), !(o.k = 0), -(o.k = 4), typeof o.k, void (o.k = 9), o]',
  'const o = { n: 1n, s: "a" }; o.n += 2n; o.s += 1; o.n **= 2n; o.n <<= 1n; return o',
  'const f = (o) => ({ ...o, z: (o.q = 1) }); const g = (a) => [a.k, a]; return [f({ a: 1 }), g({ k: 2 })]',
  'const f = async (o) => o.k; const g = async ({ k }) => (k, await k); return [await f({ k: 1 }), await g({ k: 2 })]',
  'return ((a, b) => a + b).length + (async (x, y = 1) => x).length',
  'const e = new Error("x"); e.code = 5; return [e.code, e.message]',
  'return [1, 2, 3].map((x) => x * 2).filter(Boolean).reduce((a, b) => a + b, 0)',
  'function* g() { const o = { k: yield 1 }; o.k += yield o.k; return o } const i = g(); return [i.next(), i.next(2), i.next(3)]',
  'const o = { *[Symbol.iterator]() { yield 1; yield* [2, 3] } }; return [...o]',
  'const o = { a: 1 }; const t = {}; return [Object.assign(t, o, { b: 2 }) === t, t, Object.assign({}, o), Object.assign(o), JSON.stringify(o, null, 1), structuredClone(o), Object.entries(o)]',
  'const l = []; const p = new Proxy({ z: 1 }, { ownKeys(t) { l.push("keys"); return Reflect.ownKeys(t) }, get(t, k) { l.push(String(k)); return t[k] } }); JSON.stringify({ p }); Object.assign({}, p); Object.assign(p, { q: 1 }); return l',
  'return JSON.stringify({ toJSON() { return this.k }, k: 5 }) + JSON.stringify() + JSON.stringify(undefined)',
  'const o = {}; o.self = o; try { JSON.stringify(o) } catch (e) { return e.name }',
  // Promises
  'const o = { k: 1 }; o.k += await 2; o.k = await o.k * 2; return o',
  'return await Promise.all([1, Promise.resolve(2)].map(async (x) => await x)).then((r) => r.concat(3))',
  'return await Promise.all().catch((e) => [e.name, e.message])',
  'return await Promise.allSettled([Promise.reject(1), 2])',
  'return await Promise.any([]).catch((e) => [e.name, e.errors])',
  'const r = []; for await (const x of [Promise.resolve(1), 2]) r.push(x); return r',
  'for await (const x of undefined) ;',
  'try { for await (const x of { [Symbol.asyncIterator]: 1 }) ; } catch (e) { return e.name }',
  'const l = []; async function* g() { try { yield 1; yield 2 } finally { l.push("closed") } } for await (const x of g()) break; return l',
  'async function* g() { const x = yield* h(); return [x, yield] } async function* h() { yield 1; return 2 } const i = g(); return [await i.next(), await i.next(), await i.next(4), await i.next()]',
  'const t = { then(a, b) { return typeof a + typeof b + arguments.length } }; return [t.then(1, () => {}), await Promise.resolve(1).then(), await Promise.resolve(2).then(null, 3)]',
  'const p = Promise.resolve(1); const c = []; await p.then(function () { c.push(arguments.length, this === undefined || this === globalThis) }); await p.finally(function () { c.push(arguments.length) }); return c',
  'class Q extends Promise { then(a, b) { return super.then((v) => a(v + 1), b) } } return await Q.resolve(1).then((v) => v * 10)',
  'async function f() { throw new TypeError("no") } try { return await f() } catch ({ name, message }) { return [name, message] }',
  'async function f() { try { return await Promise.reject(new Error("a")) } finally { await null } } return await f().catch((e) => e.message)',
  'const w = (...a) => a.length; return [w(...[1, 2], await 3), w?.(1)]',
  'using x = { [Symbol.dispose]() { r.push("disposed") } }; var r = []; return r',
  // Errors: message and line
  'const o = {}\n\nreturn o.a.b',
  'const o = {}\no.k = 1\nthrow new Error("line three")',
  'await null\n\nconst f = async () => {\n throw new Error("inside") }\nreturn await f()',
  // Odd but legal
  'var async = 1; var of = [2]; for (var let_ of of) ; return [async, let_]',
  'return eval("1 + 1") + new Function("a", "return a.b")({ b: 2 })',
  'const s = "§1§"; const m = new Map(); m.set("§2§", s); return [...m]',
  'const o = { "a-b": 1, 2: 3 }; return [o["a-b"], o[2], o[1 + 1], (o)["a" + "-b"]]',
  'return ((o) => { o.x = 1; return o })((() => ({}))())',
  'do var o = { k: 1 }; while (o.k-- > 1); return o',
  'const a = []; a[a.length] = a.length; a[a.length - 1]++; return [a, a?.[0], a?.length, a?.at?.(0)]',
  'let a = 1, f = () => a; return a++ + ++a + (a += 2) + (a ||= 9) + (a &&= 3) + f()',
  'let a = null, f = () => a; a ??= 1; return f()',
  'return [(() => { return })(), (() => {})(), (() => ({ a: 1 }).a)(), (async () => {}).constructor.name]',
];

suite('semantics', () => {
  for (const body of SNIPPETS) {
    test(body.replace(/\s+/g, ' ').slice(0, 90), async () => {
      const source = `(${body.includes('await') ? 'async ' : ''}function () {${body}\n})()`;
      const { code } = prepare(source);
      const plain = await outcome(source);
      assert.equal(await outcome(code), plain, code);
      runtime.beginRun();
      runtime.sink = { access: () => {}, lock: () => {} };
      try {
        assert.equal(await outcome(code), plain, code);
      } finally {
        runtime.sink = null;
      }
      assert.equal(runtime.cur, null);
    });
  }

  // The engine words these errors by the text of the expression, which is ours then.
  for (const body of ['\nfor await (const x of 5) ;', '\n\nconst { k } = null', 'const o = {}\no.f()']) {
    test(`the same error on the same line: ${body.trim()}`, async () => {
      const source = `(async function () {${body}\n})()`;
      const shape = (text: string) => text.replace(/: .* at line/, ' at line');
      assert.equal(shape(await outcome(prepare(source).code)), shape(await outcome(source)));
    });
  }

  test('every line stays where it was', () => {
    for (const body of SNIPPETS) {
      const source = `async () => {${body}}`;
      const lines = (text: string) => text.split('\n').length;
      assert.equal(lines(prepare(source).code), lines(source));
    }
  });
});

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bodies are texts
/** Source in, events out: how programs touch what they share, each access at its own column. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { watch } from './helpers.ts';

class Account {
  balance = 1;
  inner = {
    c: 1,
    f() {
      return this.c;
    },
  };
  get double() {
    return this.balance * 2;
  }
  set double(v) {
    this.balance = v / 2;
  }
  f() {
    return this.balance;
  }
}

type Row = readonly [title: string, body: string, events: readonly string[]];

/** Bodies of an async function with `o` (an Account), `m` (a Map) and `a` (an array) in sight. */
const SEEN: readonly Row[] = [
  ['two members behind one `?.`', 'return o?.inner.c', ['R Account#inner at 8', 'R Object#c at 8']],
  ['a member of a member, `?.` between', 'return o.inner?.c', ['R Account#inner at 8', 'R Object#c at 8']],
  ['`?.` twice', 'return o?.inner?.c', ['R Account#inner at 8', 'R Object#c at 8']],
  ['a method of the prototype behind `?.()`', 'return o.f?.()', []],
  [
    'a function that the object holds, behind `?.`',
    'return o.inner?.f()',
    ['R Account#inner at 8', 'R Object#f at 8'],
  ],
  ['the same two members behind `?.`', 'return o?.inner.f()', ['R Account#inner at 8', 'R Object#f at 8']],
  ['a chain that ends at once', 'const n = null; return n?.a.b.c', []],
  ['a collection behind `?.`', 'return m?.get("x")', ['R Map[x] at 8']],
  [
    'a collection held by a member behind `?.`',
    'const w = { m }; return w?.m.get("x")',
    ['R Object@a.js:1#m at 25', 'R Map[x] at 25'],
  ],
  [
    'entries of a store whose code is not watched',
    'const h = new Headers(); h.set("x", "1"); return h.get("x")',
    ['W Headers[x] at 26', 'R Headers[x] at 50'],
  ],
  [
    'a store whose code is watched',
    'class S { get(k) { return o[k] } }; return new S().get("balance")',
    ['R Account#balance at 27'],
  ],
  ['a function of the language itself', 'return Reflect.has(o, "f")', ['R Account#f at 8']],
  ['optional chain: delete', 'delete o?.balance', ['W Account#balance at 8']],
  ['optional chain: computed', 'const k="balance"; return o?.[k]', ['R Account#balance at 27']],
  [
    'optional chain: computed behind another member',
    'const k="c"; return o?.inner[k]',
    ['R Account#inner at 21', 'R Object#c at 21'],
  ],
  [
    'optional chain: an element, and what is behind it',
    'const w = { l: [o] }; return w?.l[a.length - 2]["inner"]?.c',
    [
      'R Object@a.js:1#l at 30',
      'R Array#length at 35',
      'R Object#c at 30',
      'R Array@a.js:1[0] at 30',
      'R Account#inner at 30',
    ],
  ],
  [
    'optional chain: two computed ones, the first right behind the `?.`',
    'const k=["inner", "c"]; return o?.[k[0]][k[1]]',
    ['R Array@a.js:1[0] at 36', 'R Account#inner at 32', 'R Array@a.js:1[1] at 42', 'R Object#c at 32'],
  ],
  [
    'optional chain: a method by a computed name',
    'const k = "f"; return o?.inner[k]()',
    ['R Account#inner at 23', 'R Object#f at 23'],
  ],
  ['destructuring: default', 'const { balance = 5 } = o; return balance', ['R Account#balance at 9']],
  [
    'destructuring: nested',
    'const { inner: { c } } = o; return c',
    ['R Account#inner at 9', 'R Object#c at 18'],
  ],
  [
    'destructuring: assign nested',
    'let c; ({ inner: { c } } = o); return c',
    ['R Account#inner at 11', 'R Object#c at 20'],
  ],
  [
    'destructuring: member',
    'const r = {}; ({ balance: r.b } = o)',
    ['R Account#balance at 18', 'W Object@a.js:1#b at 27'],
  ],
  [
    'destructuring: objects in a list',
    'const l = [o]; const [{ balance }] = l; return balance',
    ['R Account#balance at 25', 'R Array@a.js:1#length at 38', 'R Array@a.js:1[0] at 38'],
  ],
  [
    'destructuring: parameter',
    'const f = ({ balance }) => balance; return f(o)',
    ['R Account#balance at 14'],
  ],
  [
    'destructuring: parameter of an async function, with defaults',
    'async function f(x, { inner: { c = 1 } } = {}) { await 0; return c } return f(1, o)',
    ['R Account#inner at 23', 'R Object#c at 32'],
  ],
  ['destructuring: loop', 'for (const { balance } of [o]) void balance', ['R Account#balance at 14']],
  [
    'destructuring: loop over entries',
    'for (const [, { balance }] of new Map([[1, o]])) { void balance }',
    ['R Map@a.js:1#size at 31', 'R Map@a.js:1[1] at 31', 'R Account#balance at 17'],
  ],
  [
    'destructuring: for await',
    'for await (const { balance } of [o]) void balance',
    ['R Account#balance at 20'],
  ],
  [
    'destructuring: computed',
    'const k = "balance"; const { [k]: b } = o; return b',
    ['R Account#balance at 30'],
  ],
  ['private in', 'class P { #x = 1; static has(p) { return #x in p } } P.has(o)', ['R P#has at 54']],
  ['Object.values', 'Object.values(o)', ['R Account#balance at 15', 'R Account#inner at 15']],
  ['Object.entries', 'Object.entries(o)', ['R Account#balance at 16', 'R Account#inner at 16']],
  ['Object.fromEntries map', 'Object.fromEntries(m)', ['R Map#size at 20', 'R Map[x] at 20']],
  [
    'Object.defineProperty',
    'Object.defineProperty(o, "balance", { value: 2, writable: true, configurable: true, enumerable: true })',
    ['W Account#balance at 1'],
  ],
  [
    'Object.defineProperties',
    'Object.defineProperties(o, { balance: { value: 2, writable: true, configurable: true, enumerable: true } })',
    ['W Account#balance at 1'],
  ],
  ['Object.hasOwn', 'return Object.hasOwn(o, "balance")', ['R Account#balance at 8']],
  ['hasOwnProperty', 'return o.hasOwnProperty("balance")', ['R Account#balance at 8']],
  [
    'Object.getOwnPropertyDescriptor',
    'Object.getOwnPropertyDescriptor(o, "balance")',
    ['R Account#balance at 1'],
  ],
  ['Reflect.get', 'return Reflect.get(o, "balance")', ['R Account#balance at 8']],
  ['Reflect.set', 'Reflect.set(o, "balance", 2)', ['W Account#balance at 1']],
  ['Reflect.has', 'Reflect.has(o, "balance")', ['R Account#balance at 1']],
  [
    'Reflect.set with a value that is waited for',
    'Reflect.set(o, "balance", await o.inner.c)',
    ['R Account#inner at 33', 'R Object#c at 33', 'W Account#balance at 1'],
  ],
  [
    'Object.assign, several sources',
    'Object.assign(o, { balance: 2 }, { x: 1 })',
    ['W Account#balance at 1', 'W Account#x at 1'],
  ],
  [
    'Object.assign, a source that is waited for',
    'Object.assign(o, { balance: 2 }, await { x: 1 }, { y: 1 })',
    ['R Object@a.js:1 (keys) at 34', 'R Object@a.js:1#x at 34', 'W Account#x at 1', 'W Account#y at 1'],
  ],
  [
    'symbols in spread and Object.assign',
    'const k = Symbol("k"), s = { [k]: 1 }; Object.assign(s, { [k]: 2 }); return { ...s }',
    ['W Object@a.js:1#k at 40', 'R Object@a.js:1 (keys) at 82', 'R Object@a.js:1#k at 82'],
  ],
  ['structuredClone', 'return structuredClone(m)', ['R Map#size at 24', 'R Map[x] at 24']],
  [
    'structuredClone of what a collection holds',
    'const s = new Set([{ n: 1 }]); return structuredClone(s)',
    [
      'R Set@a.js:1#size at 55',
      'R Set@a.js:1[object] at 55',
      'R Object@a.js:1 (keys) at 55',
      'R Object@a.js:1#n at 55',
    ],
  ],
  [
    'Atomics in one thread',
    'const t = new Int32Array(2); Atomics.store(t, 0, 1); Atomics.add(t, 1, 2); return Atomics.load(t, 0)',
    [
      'W Int32Array@a.js:1[0] at 30',
      'R Int32Array@a.js:1[1] at 54',
      'W Int32Array@a.js:1[1] at 54',
      'R Int32Array@a.js:1[0] at 83',
    ],
  ],
  [
    'dataview',
    'const d = new DataView(new ArrayBuffer(8)); d.setInt8(0, 1); return d.getInt8(0)',
    ['W DataView@a.js:1[0] at 45', 'R DataView@a.js:1[0] at 69'],
  ],
  [
    'URLSearchParams',
    'const u = new URLSearchParams("a=1"); u.append("a", "2"); u.getAll("a"); return [...u.keys()]',
    ['W URLSearchParams[a] at 39', 'R URLSearchParams[a] at 59', 'R URLSearchParams[a] at 85'],
  ],
  [
    'listeners',
    'const e = new (process.getBuiltinModule("events"))(); e.on("x", () => {}); return e.listenerCount("x")',
    ['W EventEmitter[x] at 55', 'R EventEmitter[x] at 83'],
  ],
  [
    'the state of a signal',
    'const c = new AbortController(), { signal: s } = c; c.abort(); return s.aborted',
    ['R AbortController#signal at 36', 'W AbortSignal#aborted at 53', 'R AbortSignal#aborted at 71'],
  ],
  [
    'a store behind a proxy',
    'const p = new Proxy(m, { get: () => () => {} }); p.set("x", 1); p.get("x")',
    ['W Proxy[x] at 50', 'R Proxy[x] at 65'],
  ],
  ['Promise.all', 'return Promise.all(a)', ['R Array#length at 20', 'R Array[0] at 20', 'R Array[1] at 20']],
  ['Reflect.ownKeys', 'Reflect.ownKeys(o)', ['R Account#balance at 17', 'R Account#inner at 17']],
  ['Reflect.apply', 'Reflect.apply(o.f, o, [])', ['R Account#f at 15']],
  ['spread map values', 'return [...m.values()]', ['R Map#size at 12', 'R Map[x] at 12']],
  ['new Map copy', 'return new Map(m)', ['R Map#size at 16', 'R Map[x] at 16']],
  ['new Set copy', 'return new Set(a)', ['R Array#length at 16', 'R Array[0] at 16', 'R Array[1] at 16']],
  ['Array.from', 'return Array.from(a)', ['R Array#length at 19', 'R Array[0] at 19', 'R Array[1] at 19']],
  ['Array.from map', 'return Array.from(m.keys())', ['R Map#size at 19', 'R Map[x] at 19']],
  ['tagged template', 'const tag = (s, ...v) => v; return tag`x${o.balance}y`', ['R Account#balance at 43']],
  [
    'static block',
    'class C { static n = 1; static { C.n = C.n + 1 } } return C.n',
    ['R C#n at 40', 'W C#n at 34', 'R C#n at 59'],
  ],
  [
    'static field',
    'class C { static n = 1; static bump() { return ++C.n } } C.bump()',
    ['R C#bump at 58', 'R C#n at 50', 'W C#n at 50'],
  ],
  ['field init', 'class C { n = o.balance } return new C().n', ['R Account#balance at 15', 'R C#n at 34']],
  ['getter', 'return o.double', ['R Account#double at 8']],
  ['setter', 'o.double = 8', ['W Account#double at 1']],
  [
    'own accessor',
    'const p = { n: 1, get d() { return this.n } }; return p.d',
    ['R Object@a.js:1#d at 55', 'R Object@a.js:1#n at 36'],
  ],
  ['proxy', 'const p = new Proxy(o, {}); p.balance = 2; return p.balance', ['W Proxy#balance at 29']],
  [
    'proxy handlers',
    'const p = new Proxy(o, { get(t, k) { return t[k] } }); return p.balance',
    ['R Proxy#balance at 63', 'R Account#balance at 45'],
  ],
  [
    'weakmap',
    'const k = {}; const w = new WeakMap(); w.set(k, 1); return w.get(k)',
    ['W WeakMap@a.js:1[object] at 40', 'R WeakMap@a.js:1[object] at 60'],
  ],
  ['weakref', 'const w = new WeakRef(o); return w.deref().balance', ['R Account#balance at 34']],
  [
    'buffer',
    'const b = Buffer.alloc(2); b[0] = 1; return b.toString()',
    ['W Buffer[0] at 28', 'R Buffer#length at 45', 'R Buffer[0] at 45', 'R Buffer[1] at 45'],
  ],
  [
    'buffer methods',
    'const b = Buffer.alloc(4); b.writeUInt8(1, 0); return b.readUInt8(0)',
    [
      'W Buffer#length at 28',
      'W Buffer[0] at 28',
      'W Buffer[1] at 28',
      'W Buffer[2] at 28',
      'W Buffer[3] at 28',
      'R Buffer#length at 55',
      'R Buffer[0] at 55',
      'R Buffer[1] at 55',
      'R Buffer[2] at 55',
      'R Buffer[3] at 55',
    ],
  ],
  [
    'arguments',
    'function f() { arguments[0].balance = 3; return arguments[0].balance } f(o)',
    ['R Object#0 at 16', 'W Account#balance at 16', 'R Object#0 at 49', 'R Account#balance at 49'],
  ],
  [
    'arguments alias',
    'function f(x) { const g = () => x; x = 2; return arguments.length + g() } return f(1)',
    ['W a.js:x at 36', 'R Object#length at 50', 'R a.js:x at 33'],
  ],
  [
    'generator',
    'function* g() { o.balance++; yield 1; o.balance = 4 } for (const x of g()) void x',
    ['R Account#balance at 17', 'W Account#balance at 17', 'W Account#balance at 39'],
  ],
  [
    'async generator',
    'async function* g() { o.balance++; yield 1; o.balance = 4 } for await (const x of g()) void x',
    ['R Account#balance at 23', 'W Account#balance at 23', 'W Account#balance at 45'],
  ],
  [
    'closures in loops',
    'const fs = []; for (let i = 0; i < 2; i++) fs.push(() => i++); fs[0](); fs[1]()',
    [
      'R a.js:i at 32',
      'W Array@a.js:1[0] at 44',
      'W Array@a.js:1#length at 44',
      'R a.js:i at 39',
      'W a.js:i at 39',
      'R a.js:i at 32',
      'W Array@a.js:1[1] at 44',
      'W Array@a.js:1#length at 44',
      'R a.js:i at 39',
      'W a.js:i at 39',
      'R a.js:i at 32',
      'R Array@a.js:1[0] at 64',
      'R a.js:i at 58',
      'W a.js:i at 58',
      'R Array@a.js:1[1] at 73',
      'R a.js:i at 58',
      'W a.js:i at 58',
    ],
  ],
  ['using', '{ using r = { [Symbol.dispose]() { o.balance = 0 } }; void r }', ['W Account#balance at 36']],
  [
    'process.env',
    'process.env.UNWEAVE_T = "1"; const v = process.env.UNWEAVE_T; delete process.env.UNWEAVE_T; return v',
    ['W process.env#UNWEAVE_T at 1', 'R process.env#UNWEAVE_T at 40', 'W process.env#UNWEAVE_T at 70'],
  ],
  [
    'the environment by a name of its own',
    'const require = process.getBuiltinModule, { env } = require("process"); env.UNWEAVE_T = "1"; delete env.UNWEAVE_T',
    ['R process#env at 45', 'W process.env#UNWEAVE_T at 73', 'W process.env#UNWEAVE_T at 101'],
  ],
  [
    'process.env computed',
    'const k = "UNWEAVE_T"; process.env[k] = "1"; return process.env[k]',
    ['W process.env#UNWEAVE_T at 24', 'R process.env#UNWEAVE_T at 53'],
  ],
  [
    'globalThis',
    'globalThis.cfgX = 1; const v = globalThis.cfgX; delete globalThis.cfgX; return v',
    ['W globalThis#cfgX at 1', 'R globalThis#cfgX at 32', 'W globalThis#cfgX at 56'],
  ],
  [
    'class static private',
    'class C { static #n = 0; static inc() { return ++C.#n } } C.inc()',
    ['R C#inc at 59', 'R C#n at 50', 'W C#n at 50'],
  ],
  [
    'nested update',
    'o.inner.c += o.balance',
    [
      'R Account#inner at 1',
      'R Account#balance at 14',
      'R Object#c at 1',
      'W Object#c at 1',
      'W Object (keys) at 1',
    ],
  ],
  [
    'logical nested',
    'o.inner.x ??= o.balance',
    [
      'R Account#inner at 1',
      'R Object#x at 1',
      'R Account#balance at 15',
      'W Object#x at 1',
      'W Object (keys) at 1',
    ],
  ],
  ['call result', 'const g = () => o; return g().balance', ['R Account#balance at 27']],
  ['call result write', 'const g = () => o; g().balance = 5', ['W Account#balance at 20']],
  [
    'with label',
    'l: for (;;) { o.balance++; break l }',
    ['R Account#balance at 15', 'W Account#balance at 15'],
  ],
  [
    'switch',
    'switch (o.balance) { case 1: o.balance = 2 }',
    ['R Account#balance at 9', 'W Account#balance at 30'],
  ],
  [
    'exported fn default param',
    'function f(x = o.balance) { return x } return f()',
    ['R Account#balance at 16'],
  ],
  [
    'Map.groupBy',
    'return Object.groupBy(a, (x) => x)',
    ['R Array#length at 23', 'R Array[0] at 23', 'R Array[1] at 23'],
  ],
  [
    'array at destructure swap',
    '[a[0], a[1]] = [a[1], a[0]]',
    ['R Array[1] at 17', 'R Array[0] at 23', 'W Array[0] at 2', 'W Array[1] at 8'],
  ],
  [
    'for of iterating while write',
    'for (const x of a) o.balance += x',
    [
      'R Array#length at 17',
      'R Array[0] at 17',
      'R Array[1] at 17',
      'R Account#balance at 20',
      'W Account#balance at 20',
      'R Account#balance at 20',
      'W Account#balance at 20',
    ],
  ],
  [
    'entries for',
    'for (const [i, x] of a.entries()) void x',
    ['R Array#length at 22', 'R Array[0] at 22', 'R Array[1] at 22'],
  ],
  [
    'array destruct rest',
    'const [x, ...y] = a; return y',
    ['R Array#length at 19', 'R Array[0] at 19', 'R Array[1] at 19'],
  ],
];

/** What is not seen, or not all of it: the limits that the documentation names. */
const NOT_SEEN: readonly Row[] = [
  ['destructuring: catch', 'try { throw o } catch ({ balance }) { return balance }', []],
  [
    'implicit global',
    'cfgY = 1; const v = cfgY; delete globalThis.cfgY; return v',
    ['W globalThis#cfgY at 34'],
  ],
  [
    'object super',
    'const p = { __proto__: o, g() { return super.balance } }; return p.g()',
    ['R Account#g at 66'],
  ],
  [
    'Symbol.iterator manual',
    'const it = a[Symbol.iterator](); return it.next()',
    ['R Array[Symbol.iterator] at 12'],
  ],
];

async function eventsOf(body: string): Promise<string[]> {
  const seen = await watch(body, { o: new Account(), m: new Map([['x', 1]]), a: [1, 2] });
  // Points count from the head of the function around the body.
  const head = '(async function (o,m,a) {'.length;
  return seen.events.map((event, i) => `${event} at ${Number(/:(\d+)/.exec(seen.points[i]!)![1]) - head}`);
}

/** Bodies as compilers leave them: TypeScript, esbuild, Babel. */
const COMPILED: readonly Row[] = [
  [
    'private fields by TypeScript',
    `const __classPrivateFieldGet = (this && this.__classPrivateFieldGet) || function (receiver, state, kind, f) {
      return kind === "m" ? f : kind === "a" ? f.call(receiver) : f ? f.value : state.get(receiver) };
const __classPrivateFieldSet = (this && this.__classPrivateFieldSet) || function (receiver, state, value, kind, f) {
      return kind === "a" ? f.call(receiver, value) : f ? f.value = value : state.set(receiver, value), value };
const _Account_balance = new WeakMap([[o, 1]]);
class Account { static async add(a, n) { __classPrivateFieldSet(a, _Account_balance, __classPrivateFieldGet(a, _Account_balance, "f") + await n, "f") } }
await Account.add(o, 2)`,
    ['R Account#balance', 'W Account#balance'],
  ],
  [
    'private fields by esbuild',
    `var __privateGet = (obj, member, getter) => getter ? getter.call(obj) : member.get(obj);
var __privateSet = (obj, member, value, setter) => (setter ? setter.call(obj, value) : member.set(obj, value), value);
const _balance = new WeakMap([[o, 1]]);
__privateSet(o, _balance, 2); return __privateGet(o, _balance)`,
    ['W Account#balance', 'R Account#balance'],
  ],
  [
    'private fields by Babel',
    `function _classPrivateFieldGet2(map, owner) { return map.get(owner) }
const _balance = new WeakMap([[o, 1]]);
return (function () { return _classPrivateFieldGet2(_balance, this) }).call(o)`,
    ['R Account#balance'],
  ],
];

/** Bodies with `t`, a plain object with one field, in sight; what they do to its set of fields. */
const KEYS: readonly Row[] = [
  ['keys', 'Object.keys(t)', ['R']],
  ['values', 'Object.values(t)', ['R']],
  ['entries', 'Object.entries(t)', ['R']],
  ['a loop', 'for (const k in t) { }', ['R']],
  ['spread', '({ ...t })', ['R']],
  ['rest', 'const { ...r } = t', ['R']],
  ['JSON', 'JSON.stringify([t])', ['R']],
  ['a copy', 'Object.assign({}, t)', ['R']],
  ['a field is read', 't.a; t["b"]', []],
  ['membership is that of one field', '"b" in t; Object.hasOwn(t, "b"); t.hasOwnProperty("b")', []],
  ['a field is there already', 't.a = 2; t.a += 1; t.a++; t["a"] ??= 3', []],
  ['a field is added', 't.b = 2', ['W']],
  ['a field is added by a computed key', 'const k = "b"; t[k] = 2', ['W']],
  ['a field is added by `??=`', 't.b ??= 2', ['W']],
  ['fields are added by a copy', 'Object.assign(t, { b: 1, c: 2 })', ['W']],
  ['a field is defined', 'Object.defineProperty(t, "b", { value: 1, enumerable: true })', ['W']],
  ['a field is taken away', 'delete t.a', ['W']],
  ['a field that is not there is taken away', 'delete t.b', []],
  ['one comes for another', 't.b = t.a; delete t.a', ['W']],
  ['asked, added, asked', 'Object.keys(t); await 0; t.b = 1; await 0; Object.keys(t)', ['R', 'W', 'R']],
  ['added in two stretches', 't.b = 1; await 0; t.c = 1; await 0; t.c = 2', ['W', 'W']],
  ['more fields than are told', 'for (let i = 0; i < 20; i++) t[i] = i; await 0; Object.keys(t)', ['W', 'R']],
];

suite('which fields an object has', () => {
  for (const [title, body, expected] of KEYS)
    test(title, async () => {
      const { events } = await watch(`const t = { a: 1 }; await 0; ${body}`);
      assert.deepEqual(
        events.flatMap((event) => /^([RW]) Object@a\.js:1 \(keys\)$/.exec(event)?.[1] ?? []),
        expected,
        events.join(),
      );
    });

  test('is not told of classes: their fields are known', async () => {
    const { events } = await watch('o.more = 1; Object.keys(o); delete o.more', { o: new Account() });
    assert(!events.some((event) => event.includes('(keys)')));
  });
});

suite('accesses of compiled text', () => {
  for (const [title, body, events] of COMPILED)
    test(title, async () => {
      const seen = await watch(body, { o: new Account() });
      // The helpers look for themselves in the global object as well.
      assert.deepEqual(
        seen.events.filter((event) => event.includes('#balance')),
        events,
      );
      assert.ok(!seen.events.some((event) => event.includes('WeakMap')));
    });
});

suite('accesses and their places', () => {
  for (const [title, body, events] of SEEN)
    test(title, async () => assert.deepEqual(await eventsOf(body), events));
});

test('the storages of a Node that has them are shared as those of a browser', async (t) => {
  for (const name of ['localStorage', 'sessionStorage']) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value: new Headers(), configurable: true });
    t.after(() => {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    });
    const events = await eventsOf(`${name}.set("x", "1"); return ${name}.get("x")`);
    assert.deepEqual(
      events.map((event) => event.replace(/ at \d+$/, '')),
      ['W Headers[x]', 'R Headers[x]'],
    );
  }
});

suite('accesses that are not seen', () => {
  for (const [title, body, events] of NOT_SEEN)
    test(title, async () => assert.deepEqual(await eventsOf(body), events));
});

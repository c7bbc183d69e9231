/** Source in, events out: what each construct logs, in order. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { watch } from './helpers.ts';

class Account {
  balance = 1;
  #secret = 1;
  static make = () => new Account();
  peek() {
    return this.#secret;
  }
}

/** Title, body of an async function with `o` (an Account), `m` (a Map), `a` (an array) in sight, events. */
const TABLE: readonly [string, string, readonly string[]][] = [
  ['a property is read', 'return o.balance', ['R Account#balance']],
  ['a property is written', 'o.balance = 2', ['W Account#balance']],
  ['read, then written', 'o.balance = o.balance + 1', ['R Account#balance', 'W Account#balance']],
  ['compound assignment reads and writes', 'o.balance += 1', ['R Account#balance', 'W Account#balance']],
  ['increment reads and writes', 'o.balance++', ['R Account#balance', 'W Account#balance']],
  ['decrement before', '--o.balance', ['R Account#balance', 'W Account#balance']],
  ['a literal key in brackets', 'return o["balance"]', ['R Account#balance']],
  ['a computed key', 'const k = "balance"; o[k] = o[k] + 1', ['R Account#balance', 'W Account#balance']],
  ['a computed key, compound', 'const k = "balance"; o[k] *= 2', ['R Account#balance', 'W Account#balance']],
  ['a computed key, incremented', 'const k = "balance"; o[k]++', ['R Account#balance', 'W Account#balance']],
  ['logical assignment that does not assign', 'o.balance ??= 2', ['R Account#balance']],
  ['logical assignment that assigns', 'o.balance &&= 2', ['R Account#balance', 'W Account#balance']],
  ['delete writes', 'delete o.balance', ['W Account#balance']],
  ['in reads', 'return "balance" in o', ['R Account#balance']],
  ['optional chain', 'return o?.balance', ['R Account#balance']],
  ['optional chain on nothing', 'const n = null; return n?.balance', []],
  ['destructuring reads', 'const { balance: b } = o; return b', ['R Account#balance']],
  [
    'destructuring assignment writes members',
    '[o.balance] = a',
    ['R Array#length', 'R Array[0]', 'R Array[1]', 'W Account#balance'],
  ],
  ['object spread reads', 'return { ...o }', ['R Account#balance']],
  ['object rest reads', 'const { ...rest } = o; return rest', ['R Account#balance']],
  ['calls of prototype methods read nothing', 'return o.peek()', []],
  ['calls of own functions read the field', 'o.run = () => 1; o.run()', ['W Account#run', 'R Account#run']],
  ['built-in globals are quiet', 'return Math.max(1, Number.MAX_VALUE) + process.pid', []],
  ['an array element', 'return a[1]', ['R Array[1]']],
  ['an array element written', 'a[1] = 5', ['W Array[1]']],
  ['swap', '[a[0], a[1]] = [a[1], a[0]]', ['R Array[1]', 'R Array[0]', 'W Array[0]', 'W Array[1]']],
  ['array length', 'return a.length', ['R Array#length']],
  ['push', 'a.push(3)', ['W Array[2]', 'W Array#length']],
  ['pop', 'a.pop()', ['R Array#length', 'W Array#length']],
  ['at', 'return a.at(-1)', ['R Array#length', 'R Array[1]']],
  ['array search', 'return a.includes(2)', ['R Array#length', 'R Array[0]', 'R Array[1]']],
  ['for of', 'for (const x of a) void x', ['R Array#length', 'R Array[0]', 'R Array[1]']],
  ['spread', 'return Math.max(...a)', ['R Array#length', 'R Array[0]', 'R Array[1]']],
  ['Object.keys', 'return Object.keys(o)', ['R Account#balance']],
  ['Object.assign', 'Object.assign(o, { balance: 2, more: 3 })', ['W Account#balance', 'W Account#more']],
  [
    'JSON.stringify reads deeply',
    'const d = { a: { b: [1] }, get no() { throw 1 } }; try { JSON.stringify(d) } catch {}',
    [
      'R Object@a.js:1 (keys)',
      'R Object@a.js:1#a',
      'R Object@a.js:1 (keys)',
      'R Object@a.js:1#b',
      'R Array@a.js:1#length',
      'R Array@a.js:1[0]',
      'R Object@a.js:1#no',
    ],
  ],
  ['structuredClone reads', 'structuredClone(o)', ['R Account#balance']],
  ['map get', 'return m.get("x")', ['R Map[x]']],
  ['map has', 'return m.has("y")', ['R Map[y]']],
  ['map set of a new key', 'm.set("y", 2)', ['W Map[y]', 'W Map#size']],
  ['map set of a present key', 'm.set("x", 2)', ['W Map[x]']],
  ['map delete', 'm.delete("x")', ['R Map[x]', 'W Map[x]', 'W Map#size']],
  ['map size', 'return m.size', ['R Map#size']],
  ['map iteration', 'for (const x of m) void x', ['R Map#size', 'R Map[x]']],
  [
    'a set',
    'const s = new Set(); s.add(1); return s.has(1)',
    ['W Set@a.js:1[1]', 'W Set@a.js:1#size', 'R Set@a.js:1[1]'],
  ],
  ['an object literal', 'const p = { n: 1 }; p.n++', ['R Object@a.js:1#n', 'W Object@a.js:1#n']],
  [
    'a typed array',
    'const t = new Int32Array(2); t[0] = 1; t.fill(2)',
    [
      'W Int32Array@a.js:1[0]',
      'W Int32Array@a.js:1#length',
      'W Int32Array@a.js:1[0]',
      'W Int32Array@a.js:1[1]',
    ],
  ],
  [
    'a date',
    'const d = new Date(0); d.setTime(5); return d.getTime()',
    ['W Date@a.js:1#time', 'R Date@a.js:1#time'],
  ],
  ['a private field', 'class P { #x = 1; go() { this.#x += 1 } } new P().go()', ['R P#x', 'W P#x']],
  [
    'a captured variable',
    'let n = 0; const inc = () => { n = n + 1 }; inc(); return n',
    ['R a.js:n', 'W a.js:n', 'R a.js:n'],
  ],
  [
    'a captured variable, compound',
    'let n = 0; const inc = () => { n += 1 }; inc()',
    ['R a.js:n', 'W a.js:n'],
  ],
  ['a captured variable, incremented', 'let n = 0; const inc = () => n++; inc()', ['R a.js:n', 'W a.js:n']],
  [
    'a captured variable, destructured into',
    'let n = 0; const set = () => { [n] = [1] }; set()',
    ['W a.js:n'],
  ],
  [
    'a captured variable in a shorthand',
    'let n = 0; const set = () => { n = 1 }; set(); return { n }',
    ['W a.js:n', 'R a.js:n'],
  ],
  ['a variable that is never assigned again', 'const n = 1; const get = () => n; return get()', []],
  ['a variable that nobody captures', 'let n = 0; n = n + 1; return n', []],
  ['an await on the right of a write', 'o.balance = await Promise.resolve(2)', ['W Account#balance']],
  ['the field itself awaited', 'return await o.balance', ['R Account#balance']],
  [
    'the read of a compound comes before its await',
    'o.balance += await m.get("x")',
    ['R Account#balance', 'R Map[x]', 'W Account#balance'],
  ],
  ['a map written with an awaited value', 'm.set("x", await o.balance)', ['R Account#balance', 'W Map[x]']],
  [
    'an element written with an awaited value',
    'a[a.length] = await o.balance',
    ['R Array#length', 'R Account#balance', 'W Array[2]'],
  ],
  [
    'a pushed value that is awaited',
    'a.push(await o.balance)',
    ['R Account#balance', 'W Array[2]', 'W Array#length'],
  ],
  ['nested writes', 'o.balance = o.other = 3', ['W Account#other', 'W Account#balance']],
  [
    'globalThis',
    'globalThis.counterOfTest = 1; delete globalThis.counterOfTest',
    ['W globalThis#counterOfTest', 'W globalThis#counterOfTest'],
  ],
  ['parameters', 'const f = (x = o.balance) => x; f()', ['R Account#balance']],
  [
    'writes in parameters',
    'const g = () => o; const f = (x = (g().balance += 1)) => x; f()',
    ['R Account#balance', 'W Account#balance'],
  ],
  [
    'callbacks of array methods',
    'a.forEach((x) => { o.balance += x })',
    [
      'R Array#length',
      'R Array[0]',
      'R Array[1]',
      'R Account#balance',
      'W Account#balance',
      'R Account#balance',
      'W Account#balance',
    ],
  ],
];

suite('events', () => {
  for (const [title, body, expected] of TABLE) {
    test(title, async () => {
      const { events } = await watch(body, { o: new Account(), m: new Map([['x', 1]]), a: [1, 2] });
      assert.deepEqual(events, expected);
    });
  }
});

suite('points', () => {
  test('a point has line, column and text of the access', async () => {
    const { points } = await watch('\n  o.balance =\n    o.balance + 1', { o: new Account() });
    assert.deepEqual(points, ['3:5 o.balance', '2:3 o.balance']);
  });

  test('members on their own lines are known by them', async () => {
    const { points } = await watch('\nreturn o\n  .balance', { o: new Account() });
    assert.deepEqual(points, ['3:4 o .balance']);
  });
});

suite('instances of variables', () => {
  test('each call of a function has its own', async () => {
    const { targets } = await watch(
      'const make = () => { let n = 0; return () => ++n }; const a = make(); a(); a(); make()()',
    );
    const [first, , , , last] = targets;
    assert.deepEqual(targets, [first, first, first, first, last, last]);
    assert.notEqual(first, last);
  });

  test('each turn of a loop has its own', async () => {
    const { targets } = await watch(
      'for (const i of [1, 2]) { let n = i; const inc = () => { n = 3 }; inc() }',
    );
    const scopes = targets.filter((target) => typeof target === 'number');
    assert.equal(scopes.length, 2);
    assert.equal(new Set(scopes).size, 2);
  });
});

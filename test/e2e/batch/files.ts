/** The test files of the project: ten shapes, one file of each or two, five cases in every file. */
import { extent } from '../../extent.ts';

/** Files of a shape. */
const OF_ONE = extent(1, 2);

export interface TestFile {
  /** Without folder and extension. */
  readonly name: string;
  readonly text: string;
  /** Full names of its cases in the order of the file, duplicates repeated. */
  readonly tests: readonly string[];
  /** The case that can fail in another order, and what it is about. */
  readonly seeded?: { readonly test: string; readonly entity: RegExp };
}

const HEAD = `import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile, appendFile, readdir } from 'node:fs/promises';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
`;

const SCRATCH = `let dir;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'batch-'));
  await writeFile(join(dir, 'one'), '1');
});
afterEach(() => rm(dir, { recursive: true }));
`;

/** A case with its full name and its text. */
type Case = readonly [name: string, text: string];

const file = (
  name: string,
  prelude: string,
  cases: readonly Case[],
  seeded?: TestFile['seeded'],
): TestFile => ({
  name,
  text: HEAD + prelude + cases.map(([, text]) => text).join('\n'),
  tests: cases.map(([full]) => full),
  ...(seeded ? { seeded } : {}),
});

const flat = (name: string, body: string, head = 'async () =>'): Case => [
  name,
  `test(${JSON.stringify(name)}, ${head} {\n${body}\n});\n`,
];

const SYNC: readonly Case[] = [
  flat('adds', 'assert.equal(add(1, 2), 3);', '() =>'),
  flat('clamps', 'assert.equal(clamp(9, 0, 5), 5);', '() =>'),
  flat('sums', 'assert.equal(sum([1, 2, 3]), 6);', '() =>'),
  flat('throws', 'assert.throws(() => sum(null), TypeError);', '() =>'),
];
const MATH = `import { add, clamp, sum } from '../src/math.js';\n`;

const COUNTERS: readonly Case[] = [
  flat(
    'counts under a lock',
    'const c = new Counter();\nawait Promise.all([c.add(1), c.add(2), c.add(3)]);\nassert.equal(c.value, 6);',
  ),
  flat(
    'counts in one turn',
    'const c = new Counter();\nawait Promise.all([c.addAtOnce(1), c.addAtOnce(2)]);\nassert.equal(c.value, 3);',
  ),
  flat(
    'counts one by one',
    'const c = new Counter();\nfor (const n of [1, 2, 3]) await c.add(n);\nassert.equal(c.value, 6);',
  ),
  flat(
    'keeps counters apart',
    'const [a, b] = [new Counter(), new Counter()];\nawait Promise.all([a.add(1), b.add(2)]);\nassert.equal(a.value + b.value, 3);',
  ),
];
const COUNTER = `import { Counter } from '../src/counter.js';\n`;

const FILES_CASES: readonly Case[] = [
  flat(
    'writes and reads',
    `await writeFile(join(dir, 'a'), 'x');\nassert.equal(await readFile(join(dir, 'a'), 'utf8'), 'x');`,
  ),
  flat(
    'appends',
    `for (const x of 'abc') await appendFile(join(dir, 'l'), x);\nassert.equal(await readFile(join(dir, 'l'), 'utf8'), 'abc');`,
  ),
  flat('misses', `await assert.rejects(stat(join(dir, 'none')), { code: 'ENOENT' });`),
  flat(
    'stores two keys at once',
    `const s = new Store(join(dir, 's'));\nawait Promise.all([s.put('a', 1), s.put('b', 2)]);\nassert.deepEqual([await s.get('a'), await s.get('b')], [1, 2]);`,
  ),
];
const STORE = `import { Store } from '../src/store.js';\n${SCRATCH}`;

const TIMERS: readonly Case[] = [
  flat('sleeps', 'await sleep(2);'),
  flat('sleeps side by side', 'assert.deepEqual(await Promise.all([sleep(3, 1), sleep(1, 2)]), [1, 2]);'),
  flat(
    'immediates keep their order',
    `const seen = [];\nawait new Promise((done) => { setImmediate(() => seen.push(1)); setImmediate(() => { seen.push(2); done(); }); });\nassert.deepEqual(seen, [1, 2]);`,
  ),
  flat(
    'an interval ends',
    'let n = 0;\nawait new Promise((done) => { const i = setInterval(() => { if (++n === 3) { clearInterval(i); done(); } }, 1); });\nassert.equal(n, 3);',
  ),
];

const CALLBACKS: readonly Case[] = [
  flat(
    'answers later',
    'later(1, 7, (error, value) => { assert.equal(value, 7); done(error); });',
    '(t, done) =>',
  ),
  flat('answers soon', 'soon(done);', '(t, done) =>'),
  flat(
    'fails later',
    "failing((error) => { assert.equal(error.message, 'late'); done(); });",
    '(t, done) =>',
  ),
  flat(
    'reads with a callback',
    "fs.readFile(new URL(import.meta.url), 'utf8', (error, text) => { assert.ok(text.length > 0); done(error); });",
    '(t, done) =>',
  ),
];
const DELAY = `import { later, soon, failing } from '../src/delay.js';\n`;

/** Cases inside suites and tests, written as one text. */
const group = (text: string, names: readonly string[]): readonly Case[] =>
  names.map((name, i) => [name, i === 0 ? text : ''] as const);

const SUITES = group(
  `describe('outer', () => {
  const log = [];
  before(() => log.push('before'));
  after(() => assert.equal(log[0], 'before'));
  beforeEach(async () => { await sleep(1); log.push('each'); });
  it('has hooks', () => assert.ok(log.length >= 2));
  it('has async hooks', async () => { await sleep(1); assert.ok(log.includes('each')); });
  it.skip('is left out', () => assert.fail());
  describe('inner', () => {
    it('has hooks', () => assert.ok(log.includes('each')));
    it('has a promise', () => Promise.resolve().then(() => assert.ok(true)));
  });
});
`,
  [
    'outer > has hooks',
    'outer > has async hooks',
    'outer > inner > has hooks',
    'outer > inner > has a promise',
  ],
);

const SUBTESTS = group(
  `test('parent', async (t) => {
  const seen = [];
  await t.test('first', async () => { await sleep(1); seen.push(1); });
  await t.test('second', () => { seen.push(2); });
  await t.test('child', async (t2) => {
    await t2.test('leaf', async () => { await sleep(1); seen.push(3); });
    await t2.test('leaf', (_t, done) => setImmediate(done));
  });
  assert.deepEqual(seen, [1, 2, 3]);
});
`,
  ['parent > first', 'parent > second', 'parent > child > leaf', 'parent > child > leaf'],
);

const TWICE: readonly Case[] = [
  flat('twin', 'await sleep(1);'),
  flat('twin', 'assert.equal(await Promise.resolve(2), 2);'),
  flat('twin', 'assert.ok(true);', '() =>'),
  [
    'planned',
    `test.todo('not written yet');\ntest('left out', { skip: true }, () => assert.fail());\ntest.todo('planned', async () => { await sleep(1); });\n`,
  ],
];

const QUEUES: readonly Case[] = [
  flat(
    'keeps its order',
    `const lock = new Lock();\nconst seen = [];\nawait Promise.all([3, 1, 2].map((n) => lock.run(async () => { await sleep(n); seen.push(n); })));\nassert.deepEqual(seen, [3, 1, 2]);`,
  ),
  flat(
    'survives a failure',
    `const lock = new Lock();\nawait assert.rejects(lock.run(() => Promise.reject(new Error('no'))));\nassert.equal(await lock.run(() => 5), 5);`,
  ),
  flat(
    'gives values back',
    `assert.equal(await new Lock().run(async () => { await sleep(1); return 4; }), 4);`,
  ),
  flat(
    'runs two queues side by side',
    `const seen = new Set();\nawait Promise.all(['a', 'b'].map((x) => new Lock().run(async () => { await sleep(1); seen.add(x); })));\nassert.equal(seen.size, 2);`,
  ),
];
const LOCK = `import { Lock } from '../src/lock.js';\n`;

const STREAMS: readonly Case[] = [
  flat(
    'pipes',
    `const out = fs.createWriteStream(join(dir, 'o'));\nout.write('a');\nawait new Promise((done) => out.end('b', done));\nassert.equal(await readFile(join(dir, 'o'), 'utf8'), 'ab');`,
  ),
  flat(
    'reads a stream',
    `let text = '';\nfor await (const chunk of fs.createReadStream(join(dir, 'one'), 'utf8')) text += chunk;\nassert.equal(text, '1');`,
  ),
  flat(
    'lists',
    `await writeFile(join(dir, 'two'), '2');\nassert.deepEqual((await readdir(dir)).sort(), ['one', 'two']);`,
  ),
  flat(
    'reads at once',
    `const all = await Promise.all([1, 2, 3].map(() => readFile(join(dir, 'one'), 'utf8')));\nassert.deepEqual(all, ['1', '1', '1']);`,
  ),
];

const last = (n: number): Case =>
  flat(`settles ${n}`, `assert.equal((await Promise.all([${n}, sleep(1, ${n})])).length, 2);`);

/** The files of a shape; the last one may carry a seeded case in place of its last one. */
function ofShape(name: string, prelude: string, cases: readonly Case[], seed?: Seed): TestFile[] {
  const plain = [1, 2].map((n) => file(`${name}-${n}`, prelude, [...cases, last(n)]));
  if (!seed) return plain.slice(-OF_ONE);
  const own = prelude.includes('let dir') ? seed.prelude : seed.prelude + SCRATCH;
  const wrong = file(`${name}-2`, prelude + own, [...cases, flat(seed.test, seed.body)], seed);
  return [plain[0]!, wrong].slice(-OF_ONE);
}

interface Seed {
  readonly test: string;
  readonly entity: RegExp;
  readonly prelude: string;
  readonly body: string;
}

const LOST: Seed = {
  test: 'deposits twice',
  entity: /Account#balance/,
  prelude: `import { Account } from '../src/account.js';\n`,
  body: `const account = new Account(join(dir, 'one'));
await Promise.all([account.deposit(5), sleep(20).then(() => account.deposit(7))]);
assert.equal(account.balance, 12);`,
};
const CHECK: Seed = {
  test: 'a seat has one owner',
  entity: /taken|Map/,
  prelude: `import { Seats } from '../src/seats.js';\n`,
  body: `const seats = new Seats(join(dir, 'log'));
const got = await Promise.all([seats.reserve('1A', 'ann'), sleep(20).then(() => seats.reserve('1A', 'bob'))]);
assert.deepEqual(got.filter(Boolean).length, 1);`,
};
const LOST_FILE: Seed = {
  test: 'both lines are kept',
  entity: /^fs:/,
  prelude: `import { append, lines } from '../src/journal.js';\n`,
  body: `const file = join(dir, 'journal');
await writeFile(file, '[]');
await Promise.all([append(file, 'a'), sleep(20).then(() => append(file, 'b'))]);
assert.deepEqual((await lines(file)).sort(), ['a', 'b']);`,
};
const TWO_OPEN: Seed = {
  test: 'connects once',
  entity: /client/,
  prelude: `import { connect, openedTimes } from '../src/registry.js';\n`,
  body: `await Promise.all([connect(join(dir, 'one')), sleep(20).then(() => connect(join(dir, 'one')))]);
assert.equal(openedTimes(), 1);`,
};
const DIRTY: Seed = {
  test: 'an order has a price',
  entity: /Order#price/,
  prelude: `import { Order } from '../src/price.js';\n`,
  body: `const order = new Order(join(dir, 'one'));
const look = async () => { await sleep(20); return order.price; };
const [, price] = await Promise.all([order.discount(), look()]);
assert.equal(typeof price, 'number');`,
};

export const FILES: readonly TestFile[] = [
  ...ofShape('sync', MATH, SYNC, LOST),
  ...ofShape('counter', COUNTER, COUNTERS, CHECK),
  ...ofShape('files', STORE, FILES_CASES, LOST_FILE),
  ...ofShape('timers', '', TIMERS, DIRTY),
  ...ofShape('callbacks', DELAY, CALLBACKS),
  ...ofShape('suites', '', SUITES, TWO_OPEN),
  ...ofShape('subtests', '', SUBTESTS),
  ...ofShape('twice', '', TWICE),
  ...ofShape('queues', LOCK, QUEUES),
  ...ofShape('streams', SCRATCH, STREAMS),
];

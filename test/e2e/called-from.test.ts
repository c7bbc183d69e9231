/** The bug is in who calls a wrapper: the report names the caller's lines, of a test case and of a harness. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportBug } from '../../data/report.ts';
import { API, project, readReport, run } from './batch/command.ts';

const FILES = {
  'package.json': '{ "type": "module" }',
  'store.ts': `export class Store<V> {
  readonly #map = new Map<string, V>();
  async get(key: string): Promise<V | undefined> {
    await null;
    return this.#map.get(key);
  }
  set(key: string, value: V): void {
    this.#map.set(key, value);
  }
}
`,
  'visits.ts': `import { readFile } from 'node:fs/promises';
import type { Store } from './store.ts';
export async function count(store: Store<number>): Promise<void> {
  const before = await store.get('visits');
  await readFile(new URL(import.meta.url));
  store.set('visits', (before ?? 0) + 1);
}
`,
  'visits.test.ts': `import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Store } from './store.ts';
import { count } from './visits.ts';
test('two visits', async () => {
  const store = new Store<number>();
  const late = async () => { await sleep(50); await count(store); };
  await Promise.all([count(store), late()]);
  assert.equal(await store.get('visits'), 2);
});
`,
  'visits.harness.ts': `import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '${API}';
import { Store } from './store.ts';
import { count } from './visits.ts';
harness({
  name: 'two visits',
  setup: () => new Store<number>(),
  tasks: { one: (store) => count(store), two: (store) => sleep(50).then(() => count(store)) },
  check: async (store) => assert.equal(await store.get('visits'), 2),
});
`,
};
const RUN = ['run', '--max-schedules', '1', '--confirm', '1', '--json', 'out.json'];

type Access = NonNullable<ReportBug['first']>;
const at = (access: Access | null): string[] => [
  `${access?.file}:${access?.line}`,
  ...(access?.calledFrom ?? []).map(
    ({ file, line, column, function: fn }) => `${file}:${line}:${column} ${fn}`,
  ),
];

const CALLED = /called from visits\.ts:4:30 in count {3}const before = await store\.get\('visits'\);/;

test('a test case', async (t) => {
  const cwd = project(t, FILES);
  const ended = await run(cwd, [...RUN, '--', 'node', '--test', 'visits.test.ts']);
  assert.equal(ended.code, 1, ended.err);
  const { first, second } = readReport(cwd).bugs[0]!;
  assert.deepEqual(at(first).slice(0, 2), ['store.ts:5', 'visits.ts:4:30 count']);
  assert.deepEqual(at(second).slice(0, 2), ['store.ts:8', 'visits.ts:6:9 count']);
  assert.match(ended.out, CALLED);
  assert.match(ended.out, /from visits\.test\.ts:[89]:\d+/);
});

/** As tsx, which leaves out line breaks: lines are elsewhere, and a map says where they were. */
const SHIFTED = `import { registerHooks, stripTypeScriptTypes } from 'node:module';
process.setSourceMapsEnabled(true);
registerHooks({
  load(url, context, next) {
    const result = next(url, context);
    if (!/visits(\\.test)?\\.ts$/.test(url)) return result;
    const text = stripTypeScriptTypes(String(result.source));
    const mappings = ';;;AAAA' + ';AACA'.repeat(text.split('\\n').length - 1);
    const map = Buffer.from(JSON.stringify({ version: 3, sources: [url], names: [], mappings })).toString('base64');
    const source = '\\n\\n\\n' + text + '\\n//# sourceMappingURL=data:application/json;base64,' + map;
    return { format: 'module', source, shortCircuit: true };
  },
});
`;

test('a test case whose lines a loader has put elsewhere', async (t) => {
  const cwd = project(t, { ...FILES, 'shifted.mjs': SHIFTED });
  const ended = await run(cwd, [
    ...RUN,
    ...['--', 'node', '--import', './shifted.mjs', '--test', 'visits.test.ts'],
  ]);
  assert.equal(ended.code, 1, ended.err);
  const { first } = readReport(cwd).bugs[0]!;
  assert.deepEqual(at(first).slice(0, 2), ['store.ts:5', 'visits.ts:4:3 count']);
  assert.match(ended.out, /setTimeout 50 ms \(visits\.test\.ts:8\) fires/);
});

test('a harness, whose modules are rewritten; also when its cut point is looked at', async (t) => {
  const cwd = project(t, FILES);
  const ended = await run(cwd, [...RUN, 'visits.harness.ts']);
  assert.equal(ended.code, 1, ended.err);
  const { first, id, second } = readReport(cwd).bugs[0]!;
  assert.deepEqual(at(first).slice(0, 2), ['store.ts:5', 'visits.ts:4:30 count']);
  assert.deepEqual(at(second).slice(0, 2), ['store.ts:8', 'visits.ts:6:9 count']);
  assert.match(ended.out, CALLED);
  assert.match((await run(cwd, ['inspect', id])).out, CALLED);
});

const THREADS = {
  'package.json': '{ "type": "module" }',
  'cell.ts': `export class Cell {
  readonly at: Int32Array;
  constructor(at: Int32Array) {
    this.at = at;
  }
  get(): number { return this.at[0]!; }
  set(value: number): void { this.at[0] = value; }
}
`,
  'threads.harness.ts': `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { threadHarness } from '${API}';
import { Cell } from './cell.ts';
const memory = () => new Int32Array(new SharedArrayBuffer(4));
const attach = (at: Int32Array) => new Cell(at);
function add(cell: Cell, by: number): void {
  const before = cell.get();
  cell.set(before + by);
}
async function addLate(cell: Cell, by: number): Promise<void> {
  const before = cell.get();
  await readFile(new URL(import.meta.url));
  await write(cell, before + by);
}
async function write(cell: Cell, value: number): Promise<void> {
  await null;
  cell.set(value);
}
const check = (cell: Cell) => assert.equal(cell.get(), 30);
threadHarness({
  ...{ name: 'at once', memory, attach, check },
  threads: { alice: (cell) => add(cell, 10), bob: (cell) => add(cell, 20) },
});
threadHarness({
  ...{ name: 'later', memory, attach, check },
  threads: { alice: (cell) => addLate(cell, 10), bob: (cell) => addLate(cell, 20) },
});
threadHarness({
  ...{ name: 'in turn', memory, attach, check: (cell: Cell) => assert.equal(cell.get(), 2) },
  threads: { alice: (cell) => cell.set(1), bob: (cell) => cell.set(2) },
});
`,
};

test('harnesses of threads: bodies, what is suspended in them, and two accesses that came in the other order', async (t) => {
  const cwd = project(t, THREADS);
  const ended = await run(cwd, [...RUN, 'threads.harness.ts']);
  assert.equal(ended.code, 1, ended.err);
  const { bugs } = readReport(cwd);
  const of = (name: string) => bugs.find(({ test: its }) => its.endsWith(`:${name}`));
  const [atOnce, later, inTurn] = ['at once', 'later', 'in turn'].map(of);
  const file = 'threads.harness.ts';
  assert.deepEqual(at(atOnce!.first).slice(0, 2), ['cell.ts:6', `${file}:8:23 add`]);
  assert.deepEqual(at(atOnce!.remote).slice(0, 2), ['cell.ts:7', `${file}:9:8 add`]);
  assert.deepEqual(at(atOnce!.second).slice(0, 2), ['cell.ts:7', `${file}:9:8 add`]);
  assert.match(at(atOnce!.second)[2]!, /:23:\d+ (alice|bob)$/, 'who called that');
  assert.match(ended.out, /called from threads\.harness\.ts:8:\d+ in add {3}const before = cell\.get\(\);/);
  assert.deepEqual(at(later!.second).slice(0, 3), [
    'cell.ts:7',
    `${file}:18:8 write`,
    `${file}:14:9 addLate`,
  ]);
  assert.deepEqual(at(inTurn!.first).slice(0, 2), ['cell.ts:7', `${file}:31:64 bob`]);
  assert.deepEqual(at(inTurn!.second).slice(0, 2), ['cell.ts:7', `${file}:31:36 alice`]);
});

const PROGRAM = {
  'package.json': '{ "type": "module" }',
  'cell.js': `export const get = (cell) => cell[0];
export const set = (cell, value) => { cell[0] = value; };
`,
  'main.js': `import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
const workerData = new Int32Array(new SharedArrayBuffer(4));
const workers = [10, 20].map((by) => new Worker(new URL('worker.js', import.meta.url), { workerData, argv: [by] }));
await Promise.all(workers.map((worker) => once(worker, 'exit')));
assert.equal(workerData[0], 30);
`,
  'worker.js': `import { workerData } from 'node:worker_threads';
import { get, set } from './cell.js';
function add(by) {
  const before = get(workerData);
  set(workerData, before + by);
}
add(Number(process.argv[2]));
`,
};

// Under the gate modules are rewritten: what follows in a line may stand elsewhere.
for (const [how, end, column] of [
  ['whose event loops are under the gate', '', 3],
  [
    'whose event loops are not',
    "import { execFileSync } from 'node:child_process';\nexecFileSync('true');\n",
    18,
  ],
] as const)
  test(`a program with workers of its own ${how}`, async (t) => {
    const cwd = project(t, { ...PROGRAM, 'main.js': PROGRAM['main.js'] + end });
    const ended = await run(cwd, [...RUN, '--', 'node', 'main.js']);
    assert.equal(ended.code, 1, ended.err);
    const { first, second } = readReport(cwd).bugs[0]!;
    assert.deepEqual(at(first).slice(0, 2), ['cell.js:1', `worker.js:4:${column} add`]);
    assert.deepEqual(at(second).slice(0, 2), ['cell.js:2', 'worker.js:5:3 add']);
    assert.match(at(second)[2]!, /^worker\.js:7:1 /);
  });

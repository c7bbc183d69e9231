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
const RUN = ['run', '--max-schedules', '3', '--confirm', '1', '--json', 'out.json'];

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

/** Runs that explain a failure know where each access was called from. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { StrategySpec } from '../../../data/run.ts';
import { EventKind } from '../../../data/trace.ts';
import { Directories } from '../../rescheduler/gate/support.ts';
import { recorded } from './recorded.ts';

const directories = new Directories();
after(() => directories.remove());

const EXPLAINING: StrategySpec = {
  kind: 'directed',
  schedule: { id: 's', cutPoint: null, steps: [], moves: 0, switches: 0, stallMs: 0 },
  cutPoint: null,
};

/** The calls that led to the first write of an entity of this name: `line:column function`, innermost first. */
async function callersOf(entity: string, source: string): Promise<string[]> {
  const { events, entities, callers } = await recorded(source, directories, EXPLAINING);
  const event = events.kind.findIndex(
    (kind, i) => kind === EventKind.Write && entities[events.object[i]!]!.name.includes(entity),
  );
  assert.notEqual(event, -1, entity);
  return (callers?.get(event) ?? []).map(({ line, column, fn }) => `${line}:${column} ${fn}`);
}

/** Line 1 to 4 of a program: a wrapper around a map, and a pause. */
const STORE = `const pause = () => new Promise((resolve) => setImmediate(resolve));
class Store { map = new Map();
  set(key, value) { this.map.set(key, value); }
  async setLater(key, value) { await pause(); this.set(key, value); } }
`;

suite('the stack of synchronous calls', () => {
  test('of an access', async () => {
    const calls = await callersOf(
      '[a]',
      `${STORE}export default async () => { const store = new Store(); fill(store); };
const fill = (store) => {
  const twice = 2; store.set('a', twice);
};`,
    );
    assert.deepEqual(calls, ['7:26 fill', '5:57 default']);
  });

  test('of what the host does', async () => {
    const calls = await callersOf(
      'note.txt (content)',
      `import { writeFile } from 'node:fs/promises';
const save = (file) => writeFile(file, 'text');
export default async (dir) => { await keep(dir); };
async function keep(dir) {
  await save(dir + '/note.txt');
}`,
    );
    assert.deepEqual(calls, ['5:9 keep', '3:39 default']);
  });
});

suite('beyond what is on the stack: who called the activation that goes on', () => {
  const main = (body: string) => `${STORE}export default async () => { const store = new Store();
  await fill(store); await pause(); };
async function fill(store) {
  ${body}
}`;

  test('which is awaited', async () => {
    const calls = await callersOf('[a]', main(`await store.setLater('a', 1);`));
    assert.deepEqual(calls, ['4:52 Store.setLater', '8:15 fill', '6:9 default']);
  });

  test('which nobody awaits', async () => {
    const calls = await callersOf('[a]', main(`store.setLater('a', 1);`));
    assert.deepEqual(calls, ['4:52 Store.setLater', '8:9 fill', '6:9 default']);
  });

  test('whose caller was suspended itself', async () => {
    const calls = await callersOf('[a]', main(`await pause(); await Promise.all([store.setLater('a', 1)]);`));
    assert.deepEqual(calls, ['4:52 Store.setLater', '8:43 fill', '6:9 default']);
  });

  test('whose caller is a callback', async () => {
    const calls = await callersOf('[a]', main(`await pause().then(() => store.setLater('a', 1));`));
    assert.deepEqual(calls.slice(0, 2), ['4:52 Store.setLater', '8:34 ']);
  });
});

test('of a point that is passed very often, its activation at least', async () => {
  const trace = await recorded(
    `const state = { sum: 0 };
export default async () => { await count(); };
async function count() { for (let i = 0; i < 200; i++) add(i); }
function add(n) { state.sum += n; }`,
    directories,
    EXPLAINING,
  );
  const chains = [...trace.callers!.values()].map((calls) => calls.map(({ line }) => line).join());
  assert.deepEqual([...new Set(chains)], ['3,2', '2']);
});

test('packages that call what the program gave them are known', async () => {
  const queue = JSON.stringify(import.meta.resolve('p-queue'));
  const { packages } = await recorded(
    `import PQueue from ${queue};
const state = { sum: 0 };
export default () => new PQueue().add(() => { state.sum += 1; });`,
    directories,
    EXPLAINING,
  );
  assert.ok(packages?.includes('p-queue'), packages?.join());
});

test('runs that are many are spared', async () => {
  const trace = await recorded(`${STORE}export default async () => new Store().set('a', 1);`, directories);
  assert.equal(trace.callers, undefined);
});

test('a run that does very much comes to its end: nothing is known of what comes late in it', async () => {
  const main = (calls: number) => `const state = { sum: 0, end: 0 };
export default async () => { for (let i = 0; i < ${calls}; i++) await add(i); await last(); };
async function add(n) { state.sum += n; }
async function last() { state.end = 1; }`;
  assert.deepEqual((await callersOf('#end', main(10))).length, 1);
  assert.deepEqual(await callersOf('#end', main(6000)), []);
});

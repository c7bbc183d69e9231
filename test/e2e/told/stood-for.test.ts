/** Tests in which nothing that is seen depends on the order: one of those with the same steps is forced, and stands for the others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

/** A package that nobody looks into, with an answer of its own that comes when it comes. */
const PACKAGE = {
  'node_modules/visits/package.json': '{ "name": "visits", "type": "module", "exports": "./index.js" }',
  'node_modules/visits/index.js': `import { stat } from 'node:fs';
export const state = { counted: false };
export function count() {
  state.counted = false;
  stat('.', () => { state.counted = true; });
}
export function check() {
  if (!state.counted) throw new Error('not counted');
}
`,
};

const visiting = (tests: string): string => `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { check, count, state } from 'visits';
const visit = () => {
  count();
  return readFile('package.json');
};
${tests}`;

const analyse = async (cwd: string, ...options: string[]) => {
  const how = ['run', '--json', 'out.json', '--confirm', '1', ...options, '--', 'node', '--test'];
  const { out } = await run(cwd, how);
  const { bugs, tests } = readReport(cwd);
  const forced = (name: string): number => tests.find((each) => each.name === name)?.schedules ?? -1;
  return { out, forced, failing: bugs.map((bug) => tests.find(({ id }) => id === bug.test)?.name) };
};

const ALIKE = visiting(`test('first', async () => { await visit(); });
test('second', async () => { await visit(); });`);

test('the first one is forced, the second one is not, and that is told', async (t) => {
  const { out, forced } = await analyse(project(t, { ...PACKAGE, 'a.test.js': ALIKE }));
  assert.ok(forced('first') > 0, out);
  assert.equal(forced('second'), 0, out);
  assert.match(out, /nothing seen depends on the order.*not forced \(1 test\)/s);
  assert.ok(forced('first') < 12, out);
  assert.match(out, /forced until steps that may change places had \(1 test\)/);
});

test('who asks for a search gets it', async (t) => {
  const { out, forced } = await analyse(
    project(t, { ...PACKAGE, 'a.test.js': ALIKE }),
    '--max-schedules',
    '4',
  );
  assert.ok(forced('second') > 0, out);
});

test('nobody stands for a test that reads what nobody who was seen has written', async (t) => {
  const file = visiting(`test('first', async () => { await visit(); });
test('asks', async () => { await visit(); assert.equal(state.counted, true); });`);
  const { out, failing } = await analyse(project(t, { ...PACKAGE, 'a.test.js': file }));
  assert.deepEqual(failing, ['asks'], out);
});

test('nobody stands for others who fails in another order', async (t) => {
  const file = visiting(`test('first', async () => { await visit(); check(); });
test('second', async () => { await visit(); check(); });`);
  const { out, failing } = await analyse(project(t, { ...PACKAGE, 'a.test.js': file }));
  assert.deepEqual(failing, ['first', 'second'], out);
});

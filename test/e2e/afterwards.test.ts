import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEW_ORDERS, project, readReport, run } from './batch/command.ts';

const JSON_OUT = ['--json', 'out.json', ...FEW_ORDERS];
const HEAD = `import { readFile } from 'node:fs/promises';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
let n = 0;
const add = async (by) => { const before = n; await readFile(import.meta.filename); n = before + by; };
`;

/** The files in one command: its exit code, and what it tells. */
async function analysed(t: Parameters<typeof project>[0], files: Readonly<Record<string, string>>) {
  const text = Object.entries(files).map(([name, tests]) => [name, HEAD + tests]);
  const cwd = project(t, Object.fromEntries(text));
  const { code, out } = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  return { code, out, ...readReport(cwd) };
}

test('what a test leaves behind in the natural order belongs to its file, as for the runner: a rejection, and a later turn', async (t) => {
  const { code, out, tests } = await analysed(t, {
    'a.test.js': `test('late', async () => { await sleep(5); Promise.reject(new Error('left behind')); });\n`,
    'b.test.js': `test('turn', async () => { await sleep(1); setTimeout(() => { throw new Error('left'); }, 5); });\n`,
  });
  assert.equal(code, 3, out);
  const red = tests.flatMap(({ name, baseline }) => (baseline === 'red' ? [name] : []));
  assert.deepEqual(red.sort(), ['a.test.js', 'b.test.js'], out);
});

/** Lost if the second one is late; \`then\` is what comes of it. */
const adds = (name: string, ms: number, then: string): string => `test('${name}', async () => {
  await Promise.all([add(1), sleep(${ms}).then(() => add(2))]);
  if (n !== 3) ${then};
});\n`;
const LATER = `let left;\n${adds('later', 200, `left = setTimeout(() => { throw new Error('lost'); }, 5)`)}`;

test('what only another order leaves behind is a bug: a rejection, and a turn behind the test', async (t) => {
  const { code, out, bugs } = await analysed(t, {
    'a.test.js': adds('adds', 20, `Promise.reject(new Error('lost'))`),
    'b.test.js': LATER,
  });
  assert.equal(code, 1, out);
  const of = (file: string) => bugs.filter(({ test }) => test.startsWith(file));
  assert.deepEqual(
    of('a.test.js').map(({ kind }) => kind),
    ['unhandled-rejection'],
  );
  assert.match(of('b.test.js')[0]?.error ?? '', /lost/);
});

test('what a hook handles in time, or may keep from coming, is none', async (t) => {
  const { code, out } = await analysed(t, {
    'a.test.js': `let left;
afterEach(() => left.catch(() => {}));
test('handled', async () => { await Promise.all([add(1), add(2)]); left = Promise.reject(new Error('for the hook')); });\n`,
    'b.test.js': `afterEach(() => clearTimeout(left));\n${LATER}`,
  });
  assert.equal(code, 0, out);
});

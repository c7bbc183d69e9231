/** Suites of Vitest as their users start them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CaseSubject, recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { WHOLE } from '../../extent.ts';
import { compiled, inline } from '../../monitor/loader/compile.ts';
import { options, project } from '../../rescheduler/subjects/projects.ts';
import { readReport, run } from '../batch/command.ts';
import { lastWins } from './last-wins.ts';

/** Another version is tried by the folder where it is installed. */
const MODULES =
  process.env['UNWEAVE_VITEST_MODULES'] ?? fileURLToPath(new URL('../../../node_modules', import.meta.url));
const VITEST = [process.execPath, join(MODULES, 'vitest/vitest.mjs'), 'run'];

/** A project that has Vitest installed. */
function installed(files: Readonly<Record<string, string>>): string {
  const cwd = project({
    'package.json': '{ "type": "module", "private": true, "scripts": { "test": "vitest run" } }',
    ...files,
  });
  symlinkSync(MODULES, join(cwd, 'node_modules'));
  return cwd;
}

/** Its types are lines that are not in what is compiled. */
const ACCOUNT = `
import { setTimeout as sleep } from 'node:timers/promises';

interface Unused {
  readonly a: 1;
}

export class Account {
  private balance: number;
  constructor(balance: number) { this.balance = balance; }
  get value(): number { return this.balance; }
  async withdraw(amount: number): Promise<void> {
    if (amount > 50) await sleep(15);
    const before: number = this.balance; await sleep(2); this.balance = before - amount;
  }
}`;

const TESTS = `
import { expect, it } from 'vitest';
import { Account } from '@/account';

it('keeps both withdrawals', async () => {
  const account: Account = new Account(100);
  await Promise.all([account.withdraw(60), account.withdraw(10)]);
  expect(account.value).toBe(30);
});
it('keeps one', async () => {
  const account = new Account(100);
  await account.withdraw(10);
  expect(account.value).toBe(90);
});`;
const CONFIG = `
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
const dist: string = fileURLToPath(new URL('./dist', import.meta.url));
export default defineConfig({ resolve: { alias: { '@': dist } }, test: { pool: 'threads' } });`;

const EVERYDAY = `
import { beforeEach, describe, expect, it, test, vi } from 'vitest';
import * as part from './part';

vi.mock('./part', () => ({ answer: async () => 42 }));
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
let hooks = 0;
describe('outer', () => {
  beforeEach(() => { hooks += 1; });
  it.each([1, 2])('row %i', async (n) => { await sleep(n); expect(hooks).toBeGreaterThan(0); });
  it('of one name', async () => { await sleep(1); });
  it('of one name', () => {});
});
test.concurrent('first', async ({ expect }) => { await sleep(3); expect(1).toBe(1); });
test.concurrent('second', async ({ expect }) => { await sleep(2); expect(1).toBe(1); });
const extended = test.extend<{ own: number }>({ own: async ({}, use) => { await sleep(1); await use(7); } });
extended('fixture', async ({ own }) => { await sleep(own); expect(own).toBe(7); });
test('fake timers', async () => {
  vi.useFakeTimers();
  let done = false;
  setTimeout(() => { done = true; }, 60_000);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(done).toBe(true);
});
test('waits for what comes', async () => {
  let done = false;
  setTimeout(() => { done = true; }, 20);
  await vi.waitFor(() => expect(done).toBe(true), { interval: 200 });
  setTimeout(() => { done = false; }, 20);
  await expect.poll(() => done, { interval: 200 }).toBe(false);
});
test('imports', async () => { expect((await import('./late')).late).toBe('late'); });
test('mocks', async () => { expect(await part.answer()).toBe(42); });
test('counts', async () => { expect.assertions(1); await sleep(1); expect(1).toBe(1); });
test('says', async () => { console.log('said'); await sleep(1500); });
test('at the second attempt', { retry: 2 }, ({ task }) => { expect(task.result?.retryCount).toBe(1); });
test('inline', () => { expect({ a: 1 }).toMatchInlineSnapshot('\\n{\\n  "a": 1,\\n}\\n'); });
test.fails('is to fail', () => { expect(1).toBe(2); });
test.skip('left out', () => {});
test('skips itself', (context) => { context.skip(); });
test.todo('not written yet');`;
const PARTS = {
  'src/part.ts': 'export const answer = async (): Promise<number> => 1;',
  'src/late.ts': "export const late: string = 'late';",
};

const NAMES = [
  ...['outer > row 1', 'outer > row 2', 'outer > of one name', 'outer > of one name (2)'],
  ...['first', 'second', 'fixture', 'fake timers', 'waits for what comes', 'imports', 'mocks', 'counts'],
  ...['says', 'at the second attempt', 'inline'],
];

/** What is the same in each run of a suite. */
const lasting = (text: string): string[] =>
  text
    .replace(/\d+(?:\.\d+)?m?s\b|\d+%|\d\d:\d\d:\d\d/g, '')
    .split('\n')
    .filter((line) => !/Duration|✓|\bIsolate|faster|recording|npm/.test(line) && line.trim() !== '');

const plainly = (cwd: string, command: readonly string[]) =>
  spawnSync(command[0]!, command.slice(1), {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', NODE_TEST_CONTEXT: undefined },
  });

test('each test that runs is a case, and runs again alone', async () => {
  const cwd = installed({ ...PARTS, 'src/everyday.test.ts': EVERYDAY });
  const found = await recordCommand(VITEST, { cwd });
  assert.deepEqual(
    found.map(({ id }) => id),
    NAMES.map((name) => `src/everyday.test.ts:${name}`),
  );
  for (const subject of found) {
    const { result } = await subject.record(options());
    assert.equal(result.outcome, 'pass', `${subject.id}: ${result.failure?.message}`);
  }
  // The rows and those of one name are told apart by what they do.
  for (const at of WHOLE ? [0, 2, 3, 6, 8, 9] : [0, 3]) {
    const { outcome, steps } = await found[at]!.executeFresh({ kind: 'observed' }, options());
    assert.deepEqual([outcome, at === 3 ? steps.length : null], ['pass', at === 3 ? 0 : null], found[at]!.id);
  }
});

test('the command is what it is plainly', async () => {
  const failing = `${EVERYDAY}
    test('fails', async () => { await sleep(1); expect(await part.answer()).toBe(1); });`;
  // What passes is in the one that fails, too.
  for (const [text, code] of [...(WHOLE ? [[EVERYDAY, 0] as const] : []), [failing, 1] as const]) {
    const cwd = installed({ ...PARTS, 'src/everyday.test.ts': text });
    const plain = plainly(cwd, VITEST);
    assert.equal(plain.status, code, plain.stdout + plain.stderr);
    const watched = await run(cwd, ['monitor', '--verbose', '--', ...VITEST]);
    const shown = new Set(lasting(watched.out + watched.err));
    assert.deepEqual(
      lasting(plain.stdout + plain.stderr).filter((line) => !shown.has(line)),
      [],
    );
  }
});

const json = ['--json', 'out.json', '--max-schedules', '2', '--confirm', '1'];
const built = compiled(ACCOUNT);
/** The test is TypeScript, what it tests is compiled. */
const racy = {
  'vitest.config.ts': CONFIG,
  'src/account.ts': ACCOUNT,
  'dist/account.js': built.code + inline({ ...built.map, sources: ['../src/account.ts'] }),
  'src/account.test.ts': TESTS,
};

test('a race is found through an npm script, where it is, and its replay fails', async () => {
  const cwd = installed(racy);
  const ended = await run(cwd, ['run', ...json, '--', 'npm', 'test']);
  assert.equal(ended.code, 1, ended.out + ended.err);
  const { bugs, tests } = readReport(cwd);
  assert.equal(tests.length, 2);
  assert.deepEqual([...new Set(bugs.map(({ entity }) => entity))], ['Account#balance']);
  assert.match(ended.out, /src\/account\.ts:14:28 in Account\.withdraw/);
  assert.match(ended.out, /called from src\/account\.test\.ts:7:/);
  const replayed = await run(cwd, ['replay', bugs[0]!.id]);
  assert.match(replayed.out, /the bug is there/, replayed.err);
});

test('what a soft assertion notes is told in its words', async () => {
  const head = `import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
const require = createRequire(import.meta.url);`;
  const cwd = installed({ 'a.test.js': lastWins(`expect.soft(last).toBe('two');`, head) });
  const { code, out } = await run(cwd, ['run', ...json, '--', ...VITEST]);
  assert.equal(code, 1, out);
  assert.match(out, /The test says\s+AssertionError: expected 'one' to be 'two'/);
});

test('forced runs share a process, also those of a case that goes otherwise alone', async () => {
  const cwd = installed({
    'vitest.config.js': `export default { test: { globalSetup: './starts.js' } };`,
    'starts.js': `import { appendFileSync } from 'node:fs'; export default () => appendFileSync('starts', '.');`,
    'late.js': 'export let count = 0; export const more = () => ++count;',
    'x.test.js': `import { expect, it } from 'vitest';
      import { more } from './late.js';
      const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      let before = 0;
      it('alone', async () => {
        let balance = 0;
        const add = async (ms) => { await sleep(ms); const seen = balance; await sleep(2); balance = seen + 1; };
        await Promise.all([add(1), add(10)]);
        expect([balance, more(), ++before]).toEqual([2, 1, 1]);
      });
      it('behind', async () => { if (before > 0) await sleep(1); await sleep(1); });`,
  });
  const starts = () => readFileSync(join(cwd, 'starts'), 'utf8').length;
  const [alone, behind] = (await recordCommand(VITEST, { cwd })) as CaseSubject[];
  const outcomes = new Set<string>();
  for (let seed = 0; seed < 40; seed++)
    outcomes.add((await alone!.execute({ kind: 'random', seed }, options())).outcome);
  assert.deepEqual([...outcomes].sort(), ['fail', 'pass']);
  // That of the recording, and one more.
  assert.deepEqual([starts(), alone!.unfit], [2, null]);
  const { outcome } = await behind!.execute({ kind: 'observed' }, options());
  assert.deepEqual([outcome, behind!.unfit], ['pass', null]);
  await Promise.all([alone!.close(), behind!.close()]);
});

test('cases of projects are told apart, those of folders too', async () => {
  const cwd = installed({
    'vitest.config.js': `export default { test: { projects: [
      { test: { name: 'one', include: ['a/*.test.js'] } },
      { extends: true, test: { name: 'two', include: ['a/*.test.js'], setupFiles: ['./setup.js'] } },
      './packages/*',
    ] } };`,
    'setup.js': 'globalThis.two = true;',
    'a/x.test.js': `import { it } from 'vitest'; it('x', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (globalThis.two) await new Promise((resolve) => setTimeout(resolve, 1));
    });`,
    'packages/b/package.json': '{ "name": "bee", "type": "module" }',
    'packages/b/y.test.js': `import { it } from 'vitest'; it('y', () => {});`,
  });
  const found = await recordCommand(VITEST, { cwd });
  assert.deepEqual(found.map(({ id }) => id).sort(), [
    'a/x.test.js:|one| > x',
    'a/x.test.js:|two| > x',
    'packages/b/y.test.js:|bee| > y',
  ]);
  const steps = await Promise.all(
    found.map(async (subject) => (await subject.executeFresh({ kind: 'observed' }, options())).steps.length),
  );
  assert.deepEqual(steps.sort(), [0, 1, 2]);
});

test('types that are wrong elsewhere fail no case', async () => {
  const checker =
    "console.log(`wrong.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.`);";
  const cwd = installed({
    'vitest.config.ts': `export default { test: { typecheck: { enabled: true, checker: './checker.mjs' } } };`,
    'tsconfig.json': '{}',
    'checker.mjs': `#!/usr/bin/env node\n${checker}\nprocess.exit(2);\n`,
    'wrong.ts': `export const wrong: number = 'text';\n`,
    'a.test-d.ts': '',
    'a.test.ts': `import { test } from 'vitest'; test('a', async () => { await null; });`,
  });
  chmodSync(join(cwd, 'checker.mjs'), 0o755);
  const plain = spawnSync(VITEST[0]!, VITEST.slice(1), { cwd, encoding: 'utf8' });
  assert.match(plain.stdout + plain.stderr, /TS2322|Type 'string' is not assignable/);
  assert.equal(plain.status, 1);
  for (const option of [[], ['--typecheck']]) {
    const found = await recordCommand([...VITEST, ...option], { cwd });
    const subject = found.find(({ name }) => name === 'a');
    assert.ok(subject, found.map(({ id }) => id).join());
    const observed = { kind: 'observed' } as const;
    const forced = () => subject.executeFresh(observed, options());
    // Where the command says it instead of the configuration, it is said to the same command again.
    const others = [() => subject.execute(observed, options()), () => subject.executePlain(null, options())];
    for (const run of option.length > 0 ? [forced] : [forced, ...others])
      assert.equal((await run()).outcome, 'pass');
    for (const each of found) await each.close();
  }
});

test('what fails plainly fails', async () => {
  const rows: [name: string, text: string, why: RegExp][] = [
    ['thrown', `it('x', async () => { throw new Error('thrown'); });`, /thrown/],
    ['counted', `it('x', () => { expect.assertions(1); });`, /fails outside .*assertion/],
    ['each', `it('x', () => {}); beforeEach(() => { throw new Error('hook'); });`, /fails outside .*hook/],
    ['all', `it('x', () => {}); afterAll(() => { throw new Error('hook'); });`, /fails outside .*hook/],
    ['load', `it('x', () => {}); throw new Error('load');`, /fails outside .*load/],
  ];
  const files = rows.map(([name, text]) => [
    `${name}.test.js`,
    `import { afterAll, beforeEach, expect, it } from 'vitest'; ${text}`,
  ]);
  const cwd = installed(Object.fromEntries(files));
  const plain = plainly(cwd, VITEST);
  const found = await recordCommand(VITEST, { cwd });
  for (const [name, text, why] of rows) {
    assert.match(plain.stderr, new RegExp(`FAIL.* ${name}\\.test\\.js`), text);
    const told = await Promise.all(
      found
        .filter(({ file }) => file === `${name}.test.js`)
        .map((subject) =>
          subject.record(options()).then(
            ({ result }) => result.failure?.message ?? '',
            (error: Error) => error.message,
          ),
        ),
    );
    assert.match(told.join('\n'), why, text);
  }
});

test('where a page is simulated tests are seen, and what keeps a file from being read is told beside others that fail', async () => {
  const cwd = installed({
    'vitest.config.js': "export default { test: { environment: './page.js' } };",
    'page.js': `export default { name: 'page', transformMode: 'web', viteEnvironment: 'client',
      setup(global) { global.page = 1; return { teardown() {} }; } };`,
    'a.test.js': `import { expect, it } from 'vitest';
      it('a', () => { expect(globalThis.page).toBe(1); }); it('red', () => { throw new Error('red'); });`,
    'b.test.js': `// @vitest-environment nowhere
      import { it } from 'vitest'; it('b', () => {});`,
  });
  const found = await recordCommand(VITEST, { cwd });
  const told = await Promise.all(
    found.map(async (subject) => [
      subject.name,
      await subject.record(options()).then(
        ({ result }) => result.failure?.message ?? result.outcome,
        (error: Error) => error.message,
      ),
    ]),
  );
  const { a, red, ...others } = Object.fromEntries(told) as Record<string, string>;
  assert.deepEqual([a, red], ['pass', 'red']);
  assert.match(
    Object.values(others).join('; '),
    /^Vitest caught 1 unhandled error during the test run: .*(?:nowhere|b\.test\.js)/,
  );
});

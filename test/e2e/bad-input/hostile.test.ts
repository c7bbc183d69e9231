/** Programs that do what no program should: throw what cannot be read, never end, write to the terminal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCalm, assertNoOrphans, complaints, project, readReport, run } from '../batch/command.ts';
import { harnessFile, WRONG_HARNESS } from './projects.ts';

const JSON_OUT = ['--max-schedules', '2', '--confirm', '1', '--json', 'out.json'];
const two = (name: string, a: string, rest = 'setup: () => ({}), check() {}'): string =>
  harnessFile(
    `name: '${name}', ${rest}, tasks: { async a() { await sleep(1); ${a} }, async b() { await sleep(2); } }`,
  );

const THROWN: Record<string, string> = {
  text: `throw 'text';`,
  null: 'throw null;',
  nothing: 'throw undefined;',
  proxy: `throw new Proxy({}, { get() { throw new Error('trap'); }, has() { throw 1; }, getPrototypeOf() { throw 2; } });`,
  getter: 'throw { get message() { throw 1; }, get name() { throw 2; }, get stack() { throw 3; } };',
  exit: 'process.exit(0);',
  endless: 'await new Promise(() => {});',
};

test('whatever a task throws, and one that exits or never ends: red, and the others are run', async (t) => {
  const files = Object.entries(THROWN).map(([name, code]) => [`h/${name}.js`, two(name, code)]);
  const cwd = project(t, { ...Object.fromEntries(files), 'h/wrong.js': WRONG_HARNESS });
  const ended = await run(cwd, ['run', ...JSON_OUT, 'h']);
  assert.equal(ended.code, 1, ended.out);
  assertCalm(ended);
  assert.deepEqual(complaints(ended), []);
  for (const { name, baseline } of readReport(cwd).tests)
    assert.equal(baseline, name === 'wrong' ? 'passed' : 'red', name);
  await assertNoOrphans(cwd);
});

test('setup and check that never end: told by name, after the watchdog', async (t) => {
  const never = 'new Promise(() => {})';
  const cwd = project(t, {
    'unweave.config.json': '{ "watchdogMs": 400 }',
    'h/setup.js': two('setup', '', `setup: () => ${never}, check() {}`),
    'h/check.js': two('check', '', `setup: () => ({}), check: () => ${never}`),
  });
  const ended = await run(cwd, ['run', ...JSON_OUT, 'h']);
  assert.equal(ended.code, 3, ended.out);
  assert.match(ended.out, /setup of harness 'setup'\s+failed:\s+it\s+did\s+not\s+end/);
  assert.match(ended.out, /check\s+did\s+not\s+end/);
  assert.deepEqual(
    readReport(cwd).tests.map(({ baseline }) => baseline),
    ['red', 'red'],
  );
  await assertNoOrphans(cwd);
});

test('a setup that begins to throw while orders are forced costs this test alone', async (t) => {
  const count = `import { appendFileSync, readFileSync } from 'node:fs';\n`;
  const tires = WRONG_HARNESS.replace("name: 'wrong'", "name: 'tires'").replace(
    'setup: () => ({ n: 0 })',
    `setup: () => { appendFileSync('count', 'x'); if (readFileSync('count').length > 4) throw new Error('tired'); return { n: 0 }; }`,
  );
  const cwd = project(t, { 'h/a.js': count + tires, 'h/b.js': WRONG_HARNESS });
  const ended = await run(cwd, ['run', ...JSON_OUT, 'h']);
  assert.equal(ended.code, 1, ended.err);
  assert.deepEqual(
    readReport(cwd).tests.map(({ name, baseline }) => [name, baseline]),
    [
      ['tires', 'flaky'],
      ['wrong', 'passed'],
    ],
  );
  assert.match(ended.out, /tired/);
});

test('names and messages move no cursor; the JSON report has them as they are', async (t) => {
  const name = 'a\u001b[31mred\u0007\n\u202e😀';
  const text = `import { test } from 'node:test';
test(${JSON.stringify(name)}, async () => { throw new Error('\\u001b[2J\\u0007boom\\u009b3J'); });
test('x'.repeat(30000), async () => {});\n`;
  const cwd = project(t, { 'a.test.js': text });
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(ended.code, 3, ended.err);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come.
  assert.doesNotMatch(ended.out + ended.err, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  assert.match(ended.out, /a␛\[31mred␇␊/);
  assert.ok(ended.out.length < 3000);
  assert.equal(readReport(cwd).tests[0]!.name, name);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FEW_ORDERS, project, readReport, run } from '../batch/command.ts';

/** Stacks are taken deeper here, for what is ours in them, and the number shows it. */
const OURS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
test('ours', async () => { await 1; assert.equal(Error.stackTraceLimit, 10); });
test('red', async () => { await 1; assert.equal(1, 2); });
let made = false;
test('before', () => { made = true; });
test('ours, behind another', async () => { assert.ok(made); await 1; assert.equal(Error.stackTraceLimit, 10); });
`;

test('a test that fails here and passes on plain Node is told apart from a red one', async (t) => {
  const cwd = project(t, { 'a.test.js': OURS });
  const ended = await run(cwd, ['run', ...FEW_ORDERS, '--json', 'out.json', '--', 'node', '--test']);
  assert.equal(ended.code, 3, ended.out);
  assert.match(ended.out, /2 tests — NOT ANALYSABLE\s+passes on plain Node; here: AssertionError/);
  assert.match(ended.out, /ours and ours, behind another/);
  assert.match(ended.out, /red — RED\s+fails without any forcing, on plain Node as well, so/);
  assert.match(ended.out, /2 not analysable/);
  const known = await run(cwd, [
    'run',
    ...FEW_ORDERS,
    '--write-baseline',
    'known.json',
    '--',
    'node',
    '--test',
  ]);
  assert.equal(known.code, 3, 'the other one is red on plain Node, too');
  assert.equal(readReport(cwd).tests.length, 4);
});

/** Two dates have to differ, between which the CPU has something to do. */
const COMPUTES = `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
const dated = async (work) => {
  const first = Date.now();
  for (let i = 0; i < 5e7; i++);
  await work();
  assert.notEqual(Date.now(), first);
};
test('dates', () => dated(() => {}));
test('counts', () => dated(async () => {
  let count = 0;
  const add = async () => { const seen = count; await readFile('a.test.mjs'); count = seen + 1; };
  const first = readFile('a.test.mjs').then(() => readFile('a.test.mjs')).then(add);
  await Promise.all([add(), first]);
  assert.equal(count, 2);
}));
`;

test('a test that leans on the time that the CPU takes is run as on a slow machine, and its bugs are found', async (t) => {
  const cwd = project(t, { 'a.test.mjs': COMPUTES });
  const { code, out } = await run(cwd, ['run', ...FEW_ORDERS, '--', 'node', '--test']);
  assert.equal(code, 1, out);
  assert.match(out, /lost update: .*`a\.test\.mjs:count`/);
  assert.match(out, /✓ a\.test\.mjs › dates — no concurrency[^✗]*here only as on a slow machine/);
  assert.match(out, /✗ a\.test\.mjs › counts — \d+ confirmed/);
});

const LONG = `import assert from 'node:assert/strict';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
const long = async () => { for (let i = 0; i < 6000; i++) await turn(); };
test('one order', long);
test('several', () => Promise.all([long(), sleep(1)]));
test('red', async () => { await long(); assert.equal(1, 2); });
test('given up', { timeout: 1500 }, ({ signal }) => new Promise(() => {
  const beat = setInterval(() => {}, 1);
  signal.onabort = () => clearInterval(beat);
}));
`;

const ONCE = `import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
test('by chance', () => {
  const isFirst = !existsSync('ran');
  writeFileSync('ran', '');
  assert.ok(!isFirst, 'the first run fails');
});
`;

test('a test that fails once, and never again, is flaky', async (t) => {
  const cwd = project(t, { 'a.test.mjs': ONCE });
  const { code, out } = await run(cwd, ['run', '--', 'node', '--test']);
  assert.equal(code, 3, out);
  assert.match(out, /by chance — FLAKY/);
  assert.match(out.replace(/\s+/g, ' '), /the first run fails; it passed when it was run again/);
});

test('a test takes as long as it takes in its own command', async (t) => {
  const config = JSON.stringify({ watchdogMs: 20 });
  const cwd = project(t, { 'a.test.mjs': LONG, 'unweave.config.json': config });
  const { out } = await run(cwd, ['run', ...FEW_ORDERS, '--', 'node', '--test']);
  assert.match(out, /✓ a\.test\.mjs › one order — no concurrency/);
  assert.match(
    out,
    /several — NOT ANALYSABLE\s+passes on plain Node; here: recorded it takes \d+\.\d s, and a run may take\s+0\.0 s/,
  );
  assert.match(
    out,
    /red — RED\s+fails without any forcing, on plain Node as well, so it was not analysed:\s+AssertionError/,
  );
  assert.match(out, /given up — RED/);
});

test('what fails outside of its tests runs again behind all others: they come first where time is short', async (t) => {
  const cwd = project(t, {
    'a.test.cjs': `
      const { appendFileSync, promises } = require('node:fs');
      const { test } = require('node:test');
      appendFileSync('runs', typeof __cov === 'undefined' ? 'plain ' : 'ours ');
      test('reads', async () => { const o = { n: 0 }; await Promise.all([1, 2].map(() => promises.readFile('runs').then(() => { o.n += 1; }))); });
      process.exitCode = 1;`,
  });
  const { code, out } = await run(cwd, ['run', '--max-schedules', '2', '--', 'node', '--test']);
  assert.equal(code, 3, out);
  assert.match(out, /a\.test\.cjs › a\.test\.cjs — RED/);
  const runs = readFileSync(join(cwd, 'runs'), 'utf8').trim().split(' ');
  assert.deepEqual(runs.indexOf('plain'), runs.length - 1, runs.join());
  assert.ok(runs.length > 3, runs.join());
});

test('a script that puts something else in the place of `process` is recorded', async (t) => {
  const cwd = project(t, {
    'main.cjs': 'globalThis.process = {}; setTimeout(() => {}, 1); setImmediate(() => {});',
  });
  const ended = await run(cwd, ['run', ...FEW_ORDERS, '--', 'node', 'main.cjs']);
  assert.equal(ended.code, 0, ended.out);
});

/** Tests that meet what those before them in their process have left: alone they do not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, run } from '../batch/command.ts';

const HEAD = `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
`;

const BUCKET = `${HEAD}
let tokens = 1;
let at = Date.now();
function take() {
  const now = Date.now();
  tokens = Math.min(1, tokens + (now - at) / 100);
  at = now;
  if (tokens < 1) return false;
  tokens -= 1;
  return true;
}
for (const nth of ['first', 'second'])
  test(nth, async () => {
    await Promise.all([readFile('a.test.mjs'), readFile('a.test.mjs')]);
    assert.ok(take());
    await sleep(2000);
  });
`;

test('a test that reads a time which those before it have left is none that chance decides', async (t) => {
  const cwd = project(t, { 'a.test.mjs': BUCKET });
  const { code, out } = await run(cwd, ['run', '--', 'node', '--test']);
  assert.equal(code, 0, out);
  assert.match(out, /✓ a\.test\.mjs {2}2 tests/);
});

/** As undici keeps its time: who comes first sets a timer for all. */
const SHARED_TIMER = `${HEAD}
let timer = null;
let due = [];
function tick() {
  const now = due;
  due = [];
  for (const each of now)
    if (each.left-- > 0) due.push(each);
    else each.callback();
  if (due.length > 0) timer.refresh();
}
function after(left, callback) {
  due.push({ left, callback });
  if (due.length > 1) return;
  if (timer) timer.refresh();
  else timer = setTimeout(tick, 300).unref();
}
test('first', async () => after(3, () => {}));
test('second', async () => {
  await Promise.all([readFile('a.test.mjs'), readFile('a.test.mjs')]);
  const keepsAlive = setTimeout(() => {}, 2000);
  await new Promise((resolve) => after(0, resolve));
  clearTimeout(keepsAlive);
});
`;

test('a test that waits for a timer which an earlier one has set is no deadlock', async (t) => {
  const cwd = project(t, { 'a.test.mjs': SHARED_TIMER });
  const { code, out } = await run(cwd, ['run', '--', 'node', '--test']);
  assert.equal(code, 0, out);
  assert.match(out, /✓ a\.test\.mjs {2}2 tests/);
});

const FLUSHES = `${HEAD}
let flushed = 0;
let timer;
function add() {
  clearTimeout(timer);
  timer = setTimeout(() => { flushed += 1; }, 800);
}
test('adds', () => add());
test('is flushed', async () => {
  await Promise.all([readFile('a.test.mjs'), sleep(1200)]);
  assert.equal(flushed, 1);
});
`;

test('a test that sleeps until a timer of an earlier one has done its part is run behind that, at real pace', async (t) => {
  const cwd = project(t, { 'a.test.mjs': FLUSHES });
  const { code, out } = await run(cwd, ['run', '--max-schedules', '3', '--', 'node', '--test']);
  assert.equal(code, 0, out);
  assert.match(out, /run so, at\s+real pace/);
});

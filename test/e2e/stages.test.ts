/** The stages one by one, each by a command of its own, find what all of them find at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, project, readReport, run } from './batch/command.ts';

const FILES = {
  'package.json': '{ "type": "module" }',
  'node_modules/counter/package.json': '{ "name": "counter", "type": "module", "exports": "./index.js" }',
  'node_modules/counter/index.js': `import { readFile } from 'node:fs/promises';
export class Counter {
  value = 0;
  async increment() {
    const before = this.value;
    await readFile(new URL(import.meta.url));
    this.value = before + 1;
  }
}
`,
  'counter.harness.ts': `import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'counter';
import { harness } from '${API}';
harness({
  name: 'two increments',
  setup: () => new Counter(),
  tasks: { one: (c) => c.increment(), two: (c) => sleep(50).then(() => c.increment()) },
  check: (c) => assert.equal(c.value, 2),
});
`,
};

test('what the recording looked into the later stages look into', async (t) => {
  const cwd = project(t, FILES);
  assert.equal((await run(cwd, ['monitor', '--instrument', 'counter', 'counter.harness.ts'])).code, 0);
  assert.equal((await run(cwd, ['predict'])).code, 0);
  const { code, out } = await run(cwd, ['reschedule', '--json', 'out.json']);
  assert.equal(code, 1, out);
  const { bugs, tests } = readReport(cwd);
  assert.deepEqual(
    bugs.map(({ pattern, entity }) => [pattern, entity]),
    [['RWW', 'Counter#value']],
  );
  assert.equal(tests[0]!.verdicts.diverged, 0);
  // Also by the name under which cut points are listed.
  const [, cutPoint] = /^│ (\w{10}) /m.exec((await run(cwd, ['inspect'])).out) ?? [];
  const replayed = await run(cwd, ['replay', cutPoint!]);
  assert.match(replayed.out, /: the bug is there/, replayed.err);
});

test('a package is looked into for a finding that nothing else explains', async (t) => {
  const cwd = project(t, {
    ...FILES,
    'counter.test.js': `import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'node:test';
import { Counter } from 'counter';
test('two increments', async () => {
  const counter = new Counter();
  const later = async () => { await sleep(50); await counter.increment(); };
  await Promise.all([counter.increment(), later()]);
  assert.equal(counter.value, 2);
});
`,
  });
  const told = ['--max-schedules', '10', '--confirm', '1', '--json', 'out.json'];
  const { code, out } = await run(cwd, ['run', ...told, '--', 'node', '--test', 'counter.test.js']);
  assert.equal(code, 1, out);
  const { bugs } = readReport(cwd);
  assert.deepEqual(
    bugs.map(({ pattern, entity, lookedInto, packages }) => [pattern, entity, lookedInto, packages]),
    [['RWW', 'Counter#value', ['counter'], []]],
  );
  assert.match(bugs[0]!.fix ?? '', /^([1-9]\d*)\/\1$/, 'each failing order passes');
  // Not as it is when the package is looked into from the beginning: the order is told by what the test does.
  const replayed = await run(cwd, ['replay', bugs[0]!.id, '--trace']);
  assert.match(replayed.out, /the bug is there/, replayed.err);
  for (const text of [out, replayed.out]) {
    assert.match(text, /lost update: .* both read `Counter#value`/);
    assert.match(text, /│ ① reads `Counter#value`/);
    assert.match(text, /called from counter\.test\.js:8:30/);
  }
});

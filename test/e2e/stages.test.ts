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
});

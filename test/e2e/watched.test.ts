/** Beside what is watched time goes by the real clock: what a timer could overtake is no less judged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readReport, run } from './batch/command.ts';

const COUNTER = (watch: string) => `const assert = require('node:assert');
const fs = require('node:fs');
const { test } = require('node:test');
test('counts', async () => {
  fs.mkdirSync('watched', { recursive: true });
  const watcher = ${watch};
  let n = 0;
  await Promise.all([
    (async () => { const before = n; await fs.promises.stat('.'); n = before + 1; })(),
    new Promise((resolve) => setTimeout(resolve, 20)).then(() => { n = n + 1; }),
  ]);
  watcher?.close();
  fs.unwatchFile('watched');
  assert.equal(n, 2);
});
`;

for (const watch of ['null', `fs.watch('watched')`, `(fs.watchFile('watched', () => {}), null)`])
  test(`beside ${watch}`, async (t) => {
    const cwd = project(t, { 'a.test.cjs': COUNTER(watch) });
    const { out } = await run(cwd, ['run', '--json', 'out.json', '--', 'node', '--test', 'a.test.cjs']);
    const { bugs, tests } = readReport(cwd);
    assert.deepEqual(
      bugs.map(({ entity, class: kind }) => [entity, kind]),
      [['a.test.cjs:n', 'race']],
      out,
    );
    // Where a timer waits for real time not every order is met.
    if (watch !== 'null') assert.notEqual(tests[0]?.orders?.all, true);
  });

/** Scenarios are many: each is recorded, forced and judged before the next one, so that a budget ends with some that are done. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { API, project, readReport, run } from '../batch/command.ts';

/** `add` loses what another one adds; a line for each execution tells what was called in it. */
const TEXT = `import { appendFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scenario } from '${API}';

const told = (what) => appendFileSync('calls.txt', what);
scenario({
  name: 'counter',
  scenarios: 6,
  async setup({ dir }) {
    told('\\n');
    await sleep(Number(process.env.SETUP_MS ?? 0));
    const file = join(dir, 'n');
    await writeFile(file, '0');
    return file;
  },
  operations: {
    add: {
      async run(file) {
        told('a');
        const n = Number(await readFile(file, 'utf8'));
        await writeFile(file, String(n + 1));
      },
    },
    look: {
      async run(file) {
        told('l');
        await readFile(file);
      },
      result: 'ignore',
    },
  },
  observe: async (file) => Number(await readFile(file, 'utf8')),
});
`;

test('one is done before the next one is begun, and what a finding has told is not recorded', async (t) => {
  const cwd = project(t, { 'counter.js': TEXT });
  const { code, out, err } = await run(cwd, [
    'run',
    '--jobs',
    '1',
    '--confirm',
    '1',
    '--max-schedules',
    '3',
    'counter.js',
  ]);
  assert.equal(code, 1, out + err);
  const runs = readFileSync(join(cwd, 'calls.txt'), 'utf8').trim().split('\n');
  const first = runs.findIndex((calls) => calls.includes('l'));
  assert.ok(first > 0, runs.join());
  assert.ok(!runs.slice(first).includes('aa'), runs.join());
});

test('a budget ends with what is done, says what was not looked at, and the next command goes on from there', async (t) => {
  process.env['SETUP_MS'] = '20';
  t.after(() => delete process.env['SETUP_MS']);
  const cwd = project(t, { 'counter.js': TEXT });
  const args = ['run', '--jobs', '1', '--confirm', '1', '--max-schedules', '1', '--json', 'out.json'];
  const first = await run(cwd, [...args, '--budget', '1s', 'counter.js']);
  assert.equal(first.code, 3, first.out + first.err);
  assert.match(first.out, /^\d+ scenarios not looked at$/m);
  // It has all the time that it takes.
  delete process.env['SETUP_MS'];
  const second = await run(cwd, [...args, 'counter.js']);
  assert.equal(second.code, 1, second.out + second.err);
  assert.doesNotMatch(second.out, /not looked at/);
  const { tests } = readReport(cwd);
  assert.deepEqual(new Set(tests.map(({ baseline }) => baseline)), new Set(['passed']));
});

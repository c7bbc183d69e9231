/** A time-out that the test gives and that the error tells of: whatever else changed places, what was waited for took too long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEW_ORDERS, project, readReport, run } from '../batch/command.ts';

const COLLECT = `export function collect(jobs, ms, done) {
  const answers = [];
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    done(new Error('operation has timed out'), answers);
  }, ms);
  const check = () => {
    if (isOver || answers.length < jobs.length) return;
    clearTimeout(timer);
    done(null, answers);
  };
  check();
  for (const job of jobs) job().then((answer) => { answers.push(answer); check(); });
}
`;
/** The answers naturally take a part of the time that the test gives: less than 50 ms are left. */
const TESTS = `import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { collect } from './collect.js';
const job = async () => {
  await new Promise((done) => setTimeout(done, 8));
  return (await stat('package.json')).isFile();
};
test('three answers', (t, done) => {
  collect([job, job, job], 50, (error, answers) => {
    if (error !== null) return done(new Error('expected ' + error + ' to equal null'));
    done(answers.length === 3 ? undefined : new Error('too few'));
  });
});
`;

test('is no race', async (t) => {
  const cwd = project(t, { 'a.test.js': TESTS, 'collect.js': COLLECT });
  const { code, out } = await run(cwd, [
    ...['run', ...FEW_ORDERS, '--json', 'out.json', '--', process.execPath, '--test', 'a.test.js'],
  ]);
  assert.deepEqual([...new Set(readReport(cwd).bugs.map((bug) => bug.class))], ['timing'], out);
  assert.equal(code, 0);
});

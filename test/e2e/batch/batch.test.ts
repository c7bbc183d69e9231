/** One command over a suite of many files and cases reports exactly the five seeded violations. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../../../data/report.ts';
import { openStore, StoreError } from '../../../data/store/index.ts';
import { extent } from '../../extent.ts';
import { assertCalm, assertNoOrphans, type Ended, project, readReport, run, start } from './command.ts';
import { EXPECTED, projectFiles } from './project.ts';

/** A low budget: every violation is found within its first orders; one confirmation instead of three. */
const BUDGET = ['--max-schedules', '6', '--confirm', '1'];
const ARGS = ['run', ...BUDGET, '--json', 'out.json', '--', 'node', '--test'];

function check(report: Report, ended: Ended): void {
  const { cases, bugs } = EXPECTED;
  assert.equal(ended.code, 1, ended.err);
  assertCalm(ended);
  assert.deepEqual(report.tests.map(({ id }) => id).sort(), [...cases].sort());
  for (const { id, baseline, coverage } of report.tests) {
    assert.equal(baseline, 'passed', id);
    assert.ok(coverage === 'analysed' || coverage === 'no-concurrency', `${id}: ${coverage}`);
  }
  assert.deepEqual(report.bugs.map((bug) => bug.test).sort(), [...bugs.keys()].sort());
  for (const { test, entity, pattern, reproduced, control, first, remote, second } of report.bugs) {
    assert.match(entity ?? '', bugs.get(test)!);
    assert.ok(pattern && first && remote && second, test);
    assert.deepEqual([reproduced, control], ['1/1', '1/1']);
    assert.ok(ended.out.includes(test.replace(':', ' › ')), `the report for people has ${test}`);
  }
}

/** What must not depend on when a command was killed. */
const essence = ({ tests, bugs }: Report) => ({
  tests,
  bugs: bugs
    .map(({ id, test, kind, entity, pattern, first, remote, second, requiredStallMs }) => ({
      ...{ id, test, kind, entity, pattern, first, remote, second, requiredStallMs },
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
});

let whole: Report;

const CASES = extent(50, 100);

test(`the project has ${CASES} cases of their own name and 5 violations`, () => {
  assert.equal(new Set(EXPECTED.cases).size, CASES);
  assert.equal(EXPECTED.bugs.size, 5);
});

test('a suite of so many cases: a verdict for every case, and exactly the seeded bugs', async (t) => {
  const cwd = project(t, projectFiles());
  const ended = await run(cwd, ARGS);
  whole = readReport(cwd);
  check(whole, ended);
  await assertNoOrphans(cwd);
});

/** How many bugs and traces a store has at the moment; none while it is being made. */
function progressOf(cwd: string): { bugs: number; traces: number } {
  try {
    using store = openStore(join(cwd, '.unweave', 'trace.db'), { readonly: true });
    return { bugs: store.bugs().length, traces: store.tests().filter((each) => each.baseline).length };
  } catch (error) {
    if (error instanceof StoreError) return { bugs: 0, traces: 0 };
    throw error;
  }
}

/** Three with a violation, and one without. */
const FEW = /(?:sync|counter|files|timers)-2\./;

test('killed midway and started again: the same report', async (t) => {
  const few = Object.fromEntries(
    Object.entries(projectFiles()).filter(([path]) => path.startsWith('src/') || FEW.test(path)),
  );
  const cwd = project(t, few);
  const kill = async (due: (now: ReturnType<typeof progressOf>) => boolean): Promise<void> => {
    const { child, ended } = start(cwd, ARGS);
    while (child.exitCode === null && !due(progressOf(cwd))) await sleep(20);
    process.kill(-child.pid!, 'SIGKILL');
    assert.equal((await ended).code, null, 'killed before its end');
    await assertNoOrphans(cwd);
  };
  await kill(({ traces }) => traces >= 10);
  const recorded = progressOf(cwd).traces;
  assert.ok(recorded >= 10);
  await kill(({ bugs }) => bugs >= 2);
  assert.ok(progressOf(cwd).bugs >= 2);
  const ended = await run(cwd, ARGS);
  const report = readReport(cwd);
  assert.equal(ended.code, 1, ended.err);
  assertCalm(ended);
  const same = {
    ...whole,
    tests: whole.tests.filter(({ file }) => file in few),
    bugs: whole.bugs.filter(({ test }) => test.slice(0, test.indexOf(':')) in few),
  };
  assert.deepEqual(essence(report), essence(same));
});

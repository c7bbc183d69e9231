/** Programs that start workers of their own, as they are: a script and a test file, through the built command. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../../data/report.ts';
import { forcibleCutPoints } from '../../../predictor/threads/forcible.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { forced } from '../../../predictor/threads/schedules.ts';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { MORE } from '../../extent.ts';
import { recall } from '../../recall/recall.ts';
import { temporary } from '../../temporary.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const dir = temporary('unweave-programs');
cpSync(join(ROOT, 'test/projects/workers'), dir, { recursive: true });

const unweave = (...args: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [join(ROOT, 'dist/cli/bin.js'), ...args], { cwd: dir, encoding: 'utf8' });

interface Ran extends Report {
  readonly status: number;
  readonly stdout: string;
}

/** `store`: the name of what this run leaves. What the command begins with may be an option of ours. */
function run(store: string, schedules: number, ...given: string[]): Ran {
  const options = given.filter((each) => each.startsWith('--witness'));
  const command = given.slice(options.length);
  const json = join(dir, `${store}.json`);
  const flags = [
    '--json',
    json,
    '--store',
    `${store}.db`,
    '--confirm',
    '1',
    '--max-schedules',
    `${schedules}`,
  ];
  const { status, stderr, stdout } = unweave('run', ...flags, ...options, '--', ...command);
  assert.ok(status !== null && status < 2, stderr);
  return { ...(JSON.parse(readFileSync(json, 'utf8')) as Report), status, stdout };
}

describe('a script with workers', () => {
  it('is analysed as it is: the lost update in the worker is found, and replayed', () => {
    const { bugs, status, stdout, tests } = run('racy', 1, '--witness=1', 'node', 'bank.js');
    assert.equal(status, 1);
    assert.match(stdout, /no witness on plain Node: threads have none/);
    assert.deepEqual(
      tests.map(({ id, coverage }) => [id, coverage]),
      [['bank.js:bank.js (threads)', 'analysed']],
    );
    const [bug] = bugs;
    assert.deepEqual([bug?.pattern, bug?.entity], ['RWW', 'account[0]']);
    assert.deepEqual([bug?.reproduced, bug?.control], ['1/1', '1/1']);
    assert.deepEqual([bug?.first?.file, bug?.first?.line], ['teller.js', 7]);
    const replayed = unweave('replay', bug!.id, '--store', 'racy.db', '--times', '1');
    assert.equal(replayed.status, 1, replayed.stderr);
    assert.match(replayed.stdout, /1 of 1 run failed/);
  });

  it('is judged by what it does under the token, even where free threads always collide', async () => {
    const [subject] = await recordCommand(['node', 'collide.js'], { cwd: dir });
    const threads = subject!.threads!();
    const how = { watchdogMs: 60_000 };
    const { ran, trace } = await threads.execute({ kind: 'observed' }, how, true);
    assert.equal(ran.outcome, 'pass', ran.failure?.message);
    const [lost] = forcibleCutPoints(trace!, newTally());
    assert.deepEqual([lost?.pattern, lost?.entity], ['RWW', 'total[0]']);
    const schedule = forced(trace!, lost!);
    const { followed, outcome } = await threads.executeFresh({ kind: 'directed', schedule }, how);
    assert.deepEqual([followed, outcome], ['followed', 'fail']);
    await threads.close();
  });

  it('is told to be mended by its span where two of them cross', () => {
    const [bug] = run('claim', 3, 'node', 'claim.js').bugs;
    assert.deepEqual([bug?.pattern, bug?.entity], ['RWW', 'seats']);
    const [ok, of] = bug!.fix!.split('/');
    assert.equal(ok, of);
  });

  it('with a lock of its own is silent', MORE, () => {
    const { bugs, status, tests } = run('safe', 3, 'node', 'bank.js', 'safe');
    assert.deepEqual([status, bugs], [0, []]);
    assert.equal(tests[0]?.coverage, 'analysed');
    assert.ok(tests[0].verdicts.passed > 0);
  });

  it('whose messages order everything is silent: a thread that is switched to waits for its message', () => {
    const { bugs, status, tests } = run('ordered', 2, 'node', 'ordered.js');
    assert.deepEqual([status, bugs], [0, []]);
    const { diverged, infeasible, passed, unknown } = tests[0]!.verdicts;
    assert.deepEqual([diverged, infeasible + passed, unknown], [0, 2, 0]);
  });
});

describe('a test file with workers', () => {
  it('has its racy case told from its safe one', () => {
    const { bugs, status, tests } = run('cases', 1, 'node', '--test', 'bank.test.js');
    assert.equal(status, 1);
    assert.equal(tests.length, 2);
    assert.deepEqual(
      bugs.map(({ test, pattern }) => [test, pattern]),
      [['bank.test.js:unguarded (threads)', 'RWW']],
    );
  });

  it('whose threads share nothing in the recorded run is searched for orders in which they do', async () => {
    // It is the third order that shows it.
    const [row] = await recall('workers', ['term'], ['--confirm', '1', '--max-schedules', '4']);
    assert.deepEqual([row?.isRight, row?.told, row?.false], [true, 'term', []]);
  });
});

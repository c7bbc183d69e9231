/** Harnesses of worker threads through the built command: predicted, forced, confirmed, reported, seen again. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../../data/report.ts';
import { MORE } from '../../extent.ts';
import { temporary } from '../../temporary.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const dir = temporary('unweave-threads');
let report: Report;
let stdout = '';

before(() => {
  const json = join(dir, 'report.json');
  const harnesses = ['account', 'abba', 'last-seat'].map((name) => `harnesses/threads/${name}.ts`);
  const files = [...harnesses, 'harnesses/thread-scenarios/ring.ts'];
  const flags = ['--json', json, '--store', join(dir, 'trace.db'), '--confirm', '1'];
  const done = spawnSync(process.execPath, [join(ROOT, 'dist/cli/bin.js'), 'run', ...flags, ...files], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(done.status, 1, done.stderr);
  stdout = done.stdout;
  report = JSON.parse(readFileSync(json, 'utf8')) as Report;
});

const bugsOf = (name: string) => report.bugs.filter(({ test }) => test.endsWith(`:${name}`));

describe('harnesses of threads', () => {
  it('may be recorded without control: what is forced is forced under it', MORE, () => {
    const config = join(dir, 'free.json');
    const json = join(dir, 'free-report.json');
    writeFileSync(config, '{ "freeRecording": true }');
    const flags = ['--config', config, '--json', json, '--store', join(dir, 'free.db'), '--confirm', '1'];
    const args = [join(ROOT, 'dist/cli/bin.js'), 'run', ...flags, 'harnesses/threads/account.ts'];
    const done = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    assert.equal(done.status, 1, done.stderr);
    const { bugs } = JSON.parse(readFileSync(json, 'utf8')) as Report;
    assert.deepEqual([...new Set(bugs.map(({ test }) => test.replace(/^.*:/, '')))], ['account/bad']);
  });

  it('are analysed from a passing baseline', () => {
    for (const { id, baseline, coverage, events } of report.tests) {
      assert.deepEqual([baseline, coverage], ['passed', 'analysed'], id);
      assert.ok(events > 0, id);
    }
  });

  it('operations that are declared one by one overlap, each in a thread, and are judged by their serial orders', () => {
    const [bug, ...others] = report.bugs.filter(({ test }) => test.includes('ring/'));
    assert.match(bug!.test, /:ring\/bad: write\(5\) ∥ read\(\)$/);
    assert.deepEqual(others, []);
    assert.match(stdout, /NotSerializable: no serial order of these 2 operations gives this outcome/);
    assert.match(stdout, /^every order with at most 2 preemptions of \d scenarios has a serial outcome$/m);
    const args = [join(ROOT, 'dist/cli/bin.js'), 'replay', bug!.id, '--store', join(dir, 'trace.db')];
    const again = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    assert.equal(again.status, 1, again.stdout + again.stderr);
  });

  it('a failure that no prediction led to is explained from its own run', () => {
    const [bug] = bugsOf('last seat/bad');
    assert.deepEqual([bug?.pattern, bug?.entity], ['RWW', 'free']);
    assert.equal(bugsOf('last seat/ok').length, 0);
  });

  it('a lost update is predicted and confirmed by the first schedules', () => {
    const [bug] = bugsOf('account/bad');
    assert.equal(bug?.pattern, 'RWW');
    assert.match(bug.entity ?? '', /^[ab]\.balance$/);
    assert.deepEqual([bug.reproduced, bug.control], ['1/1', '1/1']);
    assert.ok(bug.schedulesUntilFound <= 2);
    assert.match(bug.fix ?? '', /^(\d+)\/\1$/, 'no failing order fails with the span kept whole');
    assert.equal(bug.counterfactual?.passed, '1/1');
    assert.match(stdout, /lost update: `(there|back)`/);
  });

  it('two locks in opposite orders end in a deadlock, with who waits for whom', () => {
    const [bug] = bugsOf('abba/bad');
    assert.equal(bug?.kind, 'deadlock');
    assert.equal(bug.waits.length, 2);
    for (const wait of bug.waits) assert.match(wait, /^\w+ waits for .+, held by \w+ \(/);
  });

  it('replay and inspect know them', () => {
    const unweave = (...args: string[]) =>
      spawnSync(
        process.execPath,
        [join(ROOT, 'dist/cli/bin.js'), ...args, '--store', join(dir, 'trace.db')],
        {
          cwd: ROOT,
          encoding: 'utf8',
        },
      );
    const [bug] = bugsOf('account/bad');
    const again = unweave('replay', bug!.id, '--times', '2', '--trace');
    assert.equal(again.status, 1, again.stderr);
    assert.match(again.stdout, /2 of 2 runs failed in this order/);
    assert.match(again.stdout, /lost update/);
    // Event by event: both threads look before either has written.
    const { file, line } = bug!.first!;
    assert.match(
      again.stdout,
      new RegExp(`\\d +1[ ·]+ +reads ${bug!.entity!.replaceAll('.', '\\.')} +${file}:${line}\n`),
    );
    assert.match(again.stdout, /^task 1: .*\ntask 2: /m);
    assert.match(again.stdout, /\d+ events of \d+ tasks\n/);
    const list = unweave('inspect', bug!.entity!);
    assert.equal(list.status, 0, list.stderr);
    assert.match(list.stdout, /RWW/);
    const [cutPoint] = /\bc[0-9a-f]{8}\b/.exec(list.stdout)!;
    const detail = unweave('inspect', cutPoint);
    assert.match(detail.stdout, new RegExp(bug!.entity!.replaceAll('.', '\\.')));
    assert.match(detail.stdout, /holds|locks?/i);
  });

  it('repaired twins are silent', () => {
    for (const name of ['account/ok', 'abba/ok', 'abba/sequential']) assert.deepEqual(bugsOf(name), []);
  });
});

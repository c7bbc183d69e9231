import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseReport } from '../../data/report.ts';
import { everyState, everyStateViews, lostUpdate, testOf } from '../report/samples.ts';
import { answering, emptyFolder, run } from './io.ts';

const found = answering({ report: everyState, views: everyStateViews, exitCode: 1 });
const clean = answering({
  report: { ...everyState, tests: [testOf('a')], bugs: [] },
  views: { bugs: [], tests: {} },
  exitCode: 0,
});

test('a command after "--" reaches the pipeline with its own options untouched', async () => {
  const argv = [
    'run',
    '--max-schedules',
    '5',
    '--instrument',
    'a,b',
    '--instrument',
    'c',
    '--',
    'node',
    '--test',
    '--json',
    'x',
  ];
  const { calls, code, out } = await run(argv, clean);
  assert.equal(code, 0);
  assert.match(out, /no bug confirmed in 1 test/);
  const [{ name, options } = { name: '', options: undefined }] = calls;
  assert.equal(name, 'runPipeline');
  assert.deepEqual(options?.target, { kind: 'command', argv: ['node', '--test', '--json', 'x'] });
  assert.equal(options?.maxSchedules, 5);
  assert.deepEqual(options?.instrument, ['a', 'b', 'c']);
  assert.equal(options?.json, null);
});

test('each command calls its stage', async () => {
  const cases: [string[], string][] = [
    [['run', 'harnesses'], 'runPipeline'],
    [['monitor', 'harnesses'], 'monitorOnly'],
    [['predict'], 'predictOnly'],
    [['reschedule'], 'rescheduleOnly'],
  ];
  for (const [argv, name] of cases) {
    const { calls, code } = await run(argv, clean);
    assert.equal(code, 0, argv.join(' '));
    assert.deepEqual(
      calls.map((call) => call.name),
      [name],
    );
  }
});

test('a bug: exit code 1, the report on stdout, nothing on stderr', async () => {
  const { code, out, err } = await run(['run', 'h.ts'], found);
  assert.equal(code, 1);
  assert.match(out, /^✗ lost update/m);
  assert.equal(err, '');
});

test('--json -: valid JSON on stdout and nothing else', async () => {
  const { code, out, err } = await run(['run', '--json', '-', 'h.ts'], found);
  assert.equal(code, 1);
  assert.deepEqual(parseReport(out, 'stdout'), everyState);
  assert.equal(err, '');
});

test('--json FILE: the file, and the report for people', async () => {
  const cwd = emptyFolder();
  const { out } = await run(['run', '--json', 'r.json', 'h.ts'], found, { cwd });
  assert.match(out, /lost update/);
  assert.deepEqual(parseReport(readFileSync(join(cwd, 'r.json'), 'utf8'), 'r.json'), everyState);
});

test('--json FILE on a full disk: one line, the report for people, and a bug still makes the exit code 1', async () => {
  const { code, out, err } = await run(['run', '--json', '/dev/full', 'h.ts'], found);
  assert.equal(code, 1);
  assert.match(out, /lost update/);
  assert.match(err, /^unweave: \/dev\/full: cannot be written \(ENOSPC\)\n$/);
});

test('a baseline written by one run makes the bugs known in the next', async () => {
  const cwd = emptyFolder();
  const first = await run(['run', '--write-baseline', 'known.json', 'h.ts'], found, { cwd });
  assert.match(first.out, /known bugs written to known\.json/);
  const second = await run(['run', '--baseline', 'known.json', 'h.ts'], found, { cwd });
  assert.match(second.out, new RegExp(`known ${lostUpdate.bug.id}`));
  assert.doesNotMatch(second.out, /✗ lost update/);
  // What is left is a red, a flaky and a blind test: not a bug, not clean.
  assert.equal(second.code, 3);
});

test('a missing baseline is told before anything runs', async () => {
  const { code, err, calls } = await run(['run', '--baseline', 'gone.json', 'h.ts'], found);
  assert.equal(code, 2);
  assert.match(err, /^unweave: gone\.json: no such baseline file.*\n$/);
  assert.deepEqual(calls, []);
});

test('wrong usage: one line on stderr, exit code 2, nothing runs', async () => {
  const cases: [string[], RegExp][] = [
    [['run'], /nothing to run/],
    [['run', 'a', '--', 'b'], /not both/],
    [['run', '--'], /no test command/],
    [['run', 'node', '--test'], /a test command goes after "--": unweave run -- node --test/],
    [['run', '--frob', 'a'], /unknown option '--frob'/],
    [['run', '--instrumnt', 'x', 'a'], /Did you mean --instrument\?/],
    [['run', '--max-schedules', 'many', 'a'], /whole number/],
    [['run', '--max-time', '0', 'a'], /seconds/],
    [['run', '--strategy', 'luck', 'a'], /directed, random, pct, dfs/],
    [['run', '--json'], /argument missing/],
    [['run', '--times', '3', 'a'], /unknown option '--times'/],
    [['replay'], /missing required argument 'id'/],
    [['replay', 'a', 'b'], /too many arguments/],
    [['frob'], /unknown command 'frob'/],
    [
      ['run', '--budget', '5m', '--total-time', '9', 'a'],
      /'--total-time <time>' cannot be used with .*'--budget <time>'/,
    ],
    [['run', '--config', 'gone.json', 'a'], /gone\.json: no such file/],
  ];
  for (const [argv, message] of cases) {
    const { code, out, err, calls } = await run(argv, found);
    assert.equal(code, 2, argv.join(' '));
    assert.match(err, message);
    assert.match(err, /^unweave: [^\n]+\n$/);
    assert.equal(out, '');
    assert.deepEqual(calls, []);
  }
});

test('no command: the help and exit code 2; --help: exit code 0 on stdout', async () => {
  const bare = await run([]);
  assert.equal(bare.code, 2);
  assert.match(bare.err, /Start here:/);
  const help = await run(['run', '--help']);
  assert.equal(help.code, 0);
  assert.match(help.out, /unweave run -- node --test/);
  assert.equal(help.err, '');
});

test('what a pipeline throws is one line, and a stack only on request', async () => {
  const broken = { runPipeline: () => Promise.reject(new TypeError('boom')) };
  const { code, err } = await run(['run', 'h.ts'], broken);
  assert.equal(code, 3);
  assert.equal(err, 'unweave: boom (UNWEAVE_DEBUG=1 shows where)\n');
});

test('interrupted: what was found is printed; never exit code 0', async () => {
  const signal = AbortSignal.abort();
  const views = { ...everyStateViews, ended: 'interrupted' };
  const late = answering({ report: everyState, views, exitCode: 1 });
  const { code, out } = await run(['run', 'h.ts'], late, { signal });
  assert.equal(code, 1);
  assert.match(out, /lost update[\s\S]*stopped early: interrupted\n$/);
  assert.equal((await run(['run', 'h.ts'], clean, { signal })).code, 130);
});

test('--list prints the list alone', async () => {
  const list = { tests: [{ file: 'h.ts', name: 'x', schedules: 3 }], atMostMs: 60_000, aboutMs: null };
  const listing = answering({ report: everyState, views: everyStateViews, exitCode: 0, list });
  const { out, code } = await run(['run', '--list', 'h.ts'], listing);
  assert.equal(out, 'h.ts › x — 3 schedules predicted\n1 test: the budgets allow 60 s\n');
  assert.equal(code, 0);
});

test('replay: id, times and debugger reach the pipeline; the exit code says whether the bug is there', async () => {
  const outcome = (kind: 'failed' | 'passed') => ({
    replayBug: (id: string) =>
      Promise.resolve({ id, witness: null, bug: null, runs: [{ outcome: kind, detail: null }] }),
  });
  const there = await run(
    ['replay', 'b1', '--times', '4', '--inspect-brk', '--', 'node', 'a.js'],
    outcome('failed'),
  );
  assert.equal(there.code, 1);
  const [call] = there.calls;
  assert.equal(call?.args[0], 'b1');
  assert.equal(call?.options.times, 4);
  assert.equal(call?.options.inspectBrk, true);
  assert.deepEqual(call?.options.target, { kind: 'command', argv: ['node', 'a.js'] });
  const gone = await run(['replay', 'b1'], outcome('passed'));
  assert.equal(gone.code, 0);
  assert.match(gone.out, /b1: the bug is gone/);
});

test('inspect: filters reach the pipeline, text and JSON', async () => {
  const answers = {
    inspectStore: (filters: readonly string[]) =>
      Promise.resolve({ filters, cutPoints: [], orders: [], triples: null }),
  };
  const text = await run(['inspect', 'Account#balance', 'src/a.ts:3'], answers);
  assert.equal(text.code, 0);
  assert.equal(text.out, 'no cut point matches "Account#balance" "src/a.ts:3"\n');
  const json = await run(['inspect', '--json', '-'], answers);
  assert.deepEqual(JSON.parse(json.out), {
    version: 1,
    counts: {
      'cut point': 0,
      'reordered pair': 0,
      'two variables': 0,
      'time-out': 0,
      'lock cycle': 0,
      'further order': 0,
    },
    cutPoints: [],
    orders: [],
  });
});

test('a configuration file is read from the working directory', async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'unweave.config.json'), '{"maxSchedules": 3}');
  const { calls } = await run(['run', 'h.ts'], clean, { cwd });
  assert.equal(calls[0]?.options.maxSchedules, 3);
  assert.ok(!existsSync(join(cwd, '.unweave')), 'the command line itself writes no store');
});

test('without a command the test script of package.json is run, and that is told', async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'package.json'), '{ "scripts": { "test": "node --test" } }');
  const { calls, err } = await run(['run'], clean, { cwd });
  assert.deepEqual(calls[0]?.options.target, { kind: 'command', argv: ['npm', 'test'] });
  assert.equal(err, 'unweave: runs npm test (node --test)\n');
  const quiet = await run(['run', '--json', '-'], clean, { cwd });
  assert.equal(quiet.err, '');
});

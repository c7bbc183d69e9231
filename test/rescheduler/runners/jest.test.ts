/** What is known of Jest without running it. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { jest } from '../../../rescheduler/runners/jest/adapter.ts';
import { againAndAgain, rerunFiles } from '../../../rescheduler/runners/jest/again.ts';
import type {
  JestEnvironment,
  JestRuntime,
  JestState,
  JestSuite,
  JestTest,
} from '../../../rescheduler/runners/jest/api.ts';
import { argumentsOf, parseCommandLine } from '../../../rescheduler/runners/jest/arguments.ts';
import { TestedFile } from '../../../rescheduler/runners/jest/file.ts';
import { contextsOf, isOfProject, labelsOf } from '../../../rescheduler/runners/jest/projects.ts';
import type { Serving } from '../../../rescheduler/runners/serving.ts';
import { type Job, ownRecipe } from '../../../rescheduler/subjects/job.ts';
import { temporary } from '../../temporary.ts';

const base = { config: defaultConfig('/project'), preload: ['--require', 'ours'], permissions: [] } as const;
const job: Job = {
  ...base,
  mode: 'plain',
  out: '',
  target: { file: 'x', name: 'a', ordinal: 0 },
  plan: null,
};
const recording = { ...base, mode: 'record', out: '', limits: {} } as unknown as Job;

suite('the command line', () => {
  const ours = ['--testSequencer=OURS', '--workerThreads=false'];
  const cache = `--cacheDirectory=${join(base.config.cacheDir, 'jest')}`;
  const alone = ['--ci', '--coverage=false', '--json=false', '--watch=false', '--watchAll=false'];

  test('stays what it is, with our sequencer in the place of another', () => {
    const rows: [string[], string[], string | undefined][] = [
      [[], [...ours, cache], undefined],
      [['src', '-i', '--', 'x'], ['src', '-i', ...ours, cache, '--', 'x'], undefined],
      [['--testSequencer', './own.js', 'src'], ['src', ...ours, cache], './own.js'],
      [['--test-sequencer=./own.js', 'src'], ['src', ...ours, cache], './own.js'],
      [['--cacheDirectory=c'], ['--cacheDirectory=c', ...ours], undefined],
    ];
    for (const [given, wanted, sequencer] of rows) {
      const line = parseCommandLine(given);
      assert.deepEqual(argumentsOf(line, 'OURS', recording), wanted, given.join(' '));
      assert.equal(line.sequencer, sequencer);
    }
  });

  test('of a run of one case writes nothing that is about all of them', () => {
    const rows: [string[], string[]][] = [
      [['-u', 'src'], ['src']],
      [['--outputFile', 'out.json', 'src'], ['src']],
      [['--reporters', 'one', 'two', '--bail'], ['--bail']],
      [
        ['-t', 'a name', '--ci=false'],
        ['-t', 'a name'],
      ],
    ];
    for (const [given, kept] of rows)
      assert.deepEqual(
        argumentsOf(parseCommandLine(given), 'OURS', job),
        [...kept, ...alone, '--reporters=default', ...ours, cache],
        given.join(' '),
      );
  });

  test('says where the configuration is', () => {
    const { config, project } = parseCommandLine(['-c', 'a.json', '--projects', 'one']);
    assert.deepEqual([config, project], ['a.json', 'one']);
    assert.equal(parseCommandLine(['--projects', 'one', 'two']).project, undefined);
  });
});

test('projects are told apart by their names, or by their places', () => {
  const project = (name?: string) => ({
    config: { rootDir: '/', sandboxInjectedGlobals: [], ...(name ? { displayName: { name } } : {}) },
  });
  const labels = (names: (string | undefined)[]) => {
    const contexts = names.map(project);
    const of = labelsOf(contexts);
    return contexts.map((context) => of.get(context));
  };
  assert.deepEqual(labels([undefined]), [undefined]);
  assert.deepEqual(labels(['one']), ['|one|']);
  assert.deepEqual(labels(['one', undefined, 'two', 'two']), ['|one|', '|2|', '|3|', '|4|']);
  const [late, early] = ['b', 'a'].map((id) => ({ config: { ...project().config, id } }));
  const files = [late!, early!, late!].map((context) => ({ path: '/x', context }));
  assert.deepEqual([...new Set(contextsOf(files))], [early, late], 'whatever was found first');
  assert.ok(isOfProject('|one| > x', '|one|'));
  assert.ok(!isOfProject('|one or two| > x', '|one|'));
});

test('a jest-circus that keeps its tests to itself is loaded anew for each run of a file', async () => {
  const dir = temporary('jest');
  // What is registered stays with the module, as in Jest 29.
  writeFileSync(join(dir, 'runner.js'), 'module.exports = (_, __, ___, runtime) => runtime.register();');
  const circus = '/project/node_modules/jest-circus/build/state.js';
  const modules = new Map<string, string[]>([['/project/node_modules/expect/build/index.js', []]]);
  const registered: number[] = [];
  const runtime = {
    _internalModuleRegistry: modules,
    register() {
      const tests = modules.get(circus) ?? [];
      modules.set(circus, tests);
      registered.push(tests.push('x'));
    },
    restoreAllMocks() {},
    resetModules() {},
  };
  const environment = { global: {} } as unknown as JestEnvironment;
  const state: JestState = {
    rootDescribeBlock: { type: 'describeBlock', name: 'ROOT', children: [] },
    unhandledErrors: [],
  };
  rerunFiles.set(environment, { state, isHere: true, reason: () => null });
  const enough = new Error('enough');
  let runs = 0;
  const next = () => (++runs > 3 ? Promise.reject(enough) : Promise.resolve());
  const serving = {
    file: { next },
    begin() {},
    leave: () => assert.fail('it is run in processes of its own'),
  };
  const run = againAndAgain(serving as unknown as Serving);
  const config = { rootDir: dir, sandboxInjectedGlobals: [], ownRunner: join(dir, 'runner.js') };
  await assert.rejects(run({}, config, environment, runtime as unknown as JestRuntime, '/x.test.js'), enough);
  assert.deepEqual(registered, [1, 1, 1, 1]);
  assert.equal(modules.size, 2, 'what is no part of it stays');
});

test('a file that is over hears nothing of the next one in its realm', () => {
  const bodies = { run: () => Promise.resolve(), subtest: () => {} };
  const fn = () => {};
  const state = (): [JestTest, JestState] => {
    const test: JestTest = { type: 'test', name: 'x', fn, errors: [] };
    const rootDescribeBlock: JestSuite = { type: 'describeBlock', name: 'ROOT', children: [test] };
    return [test, { rootDescribeBlock, unhandledErrors: [] }];
  };
  const file = new TestedFile('/x.test.js', globalThis, undefined, bodies, job, ownRecipe(job));
  const [first, ofFirst] = state();
  file.hear({ name: 'run_start' }, ofFirst);
  assert.equal(first.mode, 'skip', 'it is not the target');
  file.over();
  const [second, ofSecond] = state();
  file.hear({ name: 'run_start' }, ofSecond);
  assert.deepEqual([second.mode, second.fn], [undefined, fn]);
});

test('a Jest whose options are others is left alone', () => {
  const { argv } = process;
  const script = join(temporary('old-jest'), 'jest/bin/jest.js');
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, '');
  writeFileSync(join(dirname(script), '../package.json'), '{ "name": "jest", "version": "24.9.0" }');
  try {
    process.argv = [argv[0]!, script, 'src'];
    assert.equal(jest.install(recording).hasTests(), false);
    assert.deepEqual(process.argv, [argv[0], script, 'src']);
  } finally {
    process.argv = argv;
  }
});

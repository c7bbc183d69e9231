/** Every command that the documents and the help texts show is run, in a project made of what they show. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { assertCalm, assertNoOrphans, type Ended, project } from '../batch/command.ts';
import { COMMANDS, script } from './commands.ts';
import { FILES, install, ROOT } from './project.ts';

/** A machine that is busy enough makes plain Node fail by itself: then there is no witness, and it says so. */
const WITNESSED = /also fails on plain Node \d+ of 2|no witness on plain Node/;

/** What a reader types, in an order that makes sense; its exit code, and what the output must say. */
const STEPS: readonly (readonly [command: string, code: number, says: RegExp])[] = [
  ['unweave run --help', 0, /--max-schedules/],
  ['unweave run -- node script.js', 1, /Account#balance/],
  ['unweave run -- node bank.js', 1, /lost update: .*`balance`/],
  [
    'unweave run harnesses/',
    1,
    /Account#balance[\s\S]*stock[\s\S]*2 bugs|stock[\s\S]*Account#balance[\s\S]*2 bugs/,
  ],
  ['unweave run --instrument node-json-db -- node --test', 1, /Account#balance/],
  ['unweave run --write-baseline known.json -- node --test', 0, /known/],
  ['unweave run --baseline known.json -- node --test', 0, /known/],
  ['unweave run --max-time 10 --json report.json -- node --test', 1, /Account#balance/],
  ['unweave run --witness -- node --test', 1, WITNESSED],
  ['unweave run -- node --test test/cart.test.ts', 1, /Account#balance/],
  ['unweave run -- node --test', 1, /lost update: .*`Account#balance`/],
  ["unweave explain test/cart.test.ts 'two deposits'", 1, /^✗ .*two deposits\s+fails when ② /],
  ['unweave inspect', 0, /Account#balance/],
  ["unweave inspect 'Account#balance'", 0, /Account#balance/],
  ['unweave inspect src/account.ts:13', 0, /Account#balance/],
  ['unweave inspect src/account.ts:13-src/account.ts:15-src/account.ts:15', 0, /RWW/],
  ['unweave inspect c3f1a90b7d', 0, /Account#balance/],
  ['unweave report --html', 1, /lost update: .*`Account#balance`/],
  ['unweave report --reporter sarif,junit', 1, /Account#balance/],
  ['unweave replay b7f3a1', 1, /1 of 1 runs? failed/],
  ['unweave replay b7f3a1 --times 20', 1, /3 of 3 runs failed/],
  ['unweave replay b7f3a1 --inspect-brk', 1, /1 of 1 runs? failed/],
  ['unweave replay b7f3a1 --break', 1, /1 of 1 runs? failed/],
  ['unweave replay b7f3a1 --trace', 1, /reads Account#balance[\s\S]*→ [\s\S]*writes Account#balance/],
  ['unweave replay b7f3a1 --witness', 1, WITNESSED],
  ['unweave replay b7f3a1 -- node --test test/cart.test.ts', 1, /1 of 1 runs? failed/],
  ['unweave export b7f3a1', 0, /order\.json written/],
  ['unweave monitor -- node --test', 0, /recorded: \d+ events/],
  ['unweave predict', 0, /2 cut points, 5 schedules to force/],
  ['unweave reschedule --max-time 30', 1, /Account#balance/],
  ['unweave predict --std trace.std', 0, /balance/],
  ['unweave predict --std trace.std --all --json -', 0, /"pattern": ?"RWW"/],
  ['unweave inspect --std trace.std', 0, /balance/],
  ['unweave inspect --std trace.std 3-5-7', 0, /RWW/],
];

/** In running text: the name of a command, or one with a hole. */
const NAMES = [
  'npm run conformance',
  'unweave run',
  'unweave replay',
  'unweave monitor',
  'unweave plan',
  'unweave merge',
  'unweave run --shard i/n',
  'unweave work',
  'unweave report',
  'unweave run --html',
  'unweave work --redis <url>',
  'unweave predict --std <file>',
  'unweave run -- node --test …',
];

/** What is repeated is repeated a few times only, and confirmed once. */
const seldom = (command: string): string =>
  command
    .replace('--times 20', '--times 3')
    .replace(/--witness(?= |$)/, '--witness 2')
    .replace('unweave explain', '$& --times 1 --confirm 1 --max-schedules 3')
    // On Node 26 another order comes first.
    .replace(/unweave run harnesses\/$/, '$& --max-schedules 12')
    // Each order of a script has a process of its own, or several threads; the first one fails.
    .replace(/-- node (?:script|bank)\.js/, '--max-schedules 1 $&');

/** The others are found as npx finds them, without the time that it takes to start. */
const VIA_NPX = /--help|run -- node --test$/;

const BUILD = 'npm run --silent build && ';

/** What is typed in a clone, and what of it is run here: not the build of the checkout that runs the tests. */
const IN_CLONE: readonly (readonly [command: string, run: string, code: number, says: RegExp])[] = [
  [
    'npm ci && npm run demo',
    `${script('demo').replace(BUILD, '')} --confirm 1 --max-schedules 8`,
    1,
    /1 bug in 1 of 2 tests/,
  ],
  ['npm run lab', `${script('lab')} --parts observe,judge --programs 1 --runs 1`, 0, /1 of 1 orders allowed/],
];

/** What no test runs, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci': 'installs; it precedes the tests',
  'npm ci && npm test': 'the tests themselves',
  'npm test': 'the tests themselves',
  'UNWEAVE_TESTS=all npm test': 'the tests themselves, more of them',
  'npm run build && npx -p node@26 node --test "test/**/*.test.ts"': 'the tests themselves, on another Node',
  'npm install --no-save node@26': 'installs',
  'git clone --depth 1 https://github.com/tc39/test262 /tmp/test262':
    'downloads; test/conformance has tests of its own',
  'UNWEAVE_CORPUS=all npx node --test test/e2e/runners/corpus.test.ts': 'the tests themselves, more of them',
  'npm run conformance -- /tmp/test262': 'needs that copy',
  'npm run conformance -- /tmp/test262 --only for-await-of --jobs 4': 'needs that copy',
  'npm run conformance -- /tmp/test262 --typescript': 'needs that copy',
  'npm run conformance -- /tmp/test262 --linked': 'needs that copy',
  'npm run conformance -- <copy of test262>': 'needs that copy',
  'npm run needle': 'test/needle has tests of its own',
  'npm run recall': 'test/recall has tests of its own',
  'npm run recall -- hangs': 'the same',
  'npm run recall -- children -- --max-time 30 --max-schedules 50': 'the same',
  'unweave run -- npx uvu tests': 'test/e2e/runners/uvu.test.ts runs suites of it',
  'unweave run --reporter markdown; gh pr comment --body-file unweave-report.md --edit-last --create-if-none':
    'writes to a forge; test/cli/reporters.test.ts runs the reporter',
  'npm run neutral': 'test/neutral has tests of its own',
  'npm run neutral -- <folder>': 'the same',
  'npm run neutral -- path/to/scripts            # each script of a folder: plainly, then under the tool':
    'the same',
  'npm run neutral -- --every 5 --json out.json test/parallel/test-fs-*.js': 'needs scripts of Node',
  'npm run neutral -- -- node --test             # a suite: each test counts': 'the same',
  'npm run bench -- --short': 'a benchmark; .ci/run runs it',
  'npm run bench': 'the same, and takes longer',
  'npm run build': 'precedes the tests',
  'npm run lint && npm run typecheck': '.ci/run runs them',
  'npx node --test test/predictor/flip.test.ts': 'a test',
  'npm run soak': 'takes long; its programs have tests of their own',
  'npm run soak -- --children': 'the same',
  'npm run lab:children': 'test/lab/children has tests of its own',
  'npm run truth': 'takes long; test/ground-truth has tests of its own',
  'npm run mutants': 'takes long; test/mutants has tests of its own',
  'npm run stress': 'test/stress has tests of its own',
  'unweave init': 'test/cli/project runs it',
  'unweave plan --store plan.db -- npm test                    # once: records and predicts':
    'test/e2e/stores/plan runs it',
  'unweave run --shard 2/4 --store shard-2.db -- npm test      # each machine, on its copy of plan.db':
    'the same',
  'unweave merge shard-*.db --json report.json                 # once: one report, one store': 'the same',
  'unweave work --redis redis://queue:6379 --store plan.db -- npm test': 'test/e2e/stores/plan runs it',
  'unweave run -- npx mocha': 'test/e2e/runners runs it',
  'unweave run -- npx vitest run': 'the same',
  'unweave run -- npx jest': 'the same',
  'unweave explain': 'the same as with a file and a name',
  ...Object.fromEntries(
    [
      "-- npx mocha test/cart.test.js --grep 'two deposits'",
      "-- npx vitest run test/cart.test.ts -t 'two deposits'",
      "-- npx jest test/cart.test.ts -t 'two deposits'",
      "-- node --test --test-name-pattern 'two deposits' test/cart.test.ts",
      "'two deposits' -- npx vitest run test/cart.test.ts",
      'harnesses/bank.ts',
      'test/cart.test.ts --max-time 30m --max-stall 5000',
      '<file> <name>',
    ].map((which) => [`unweave explain ${which}`, 'test/e2e/told/explain runs those that matter']),
  ),
  'unweave replay test/bank-b7f3a1.order.json': 'test/e2e/told/export runs it',
  'unweave run scenarios/': 'test/e2e/scenarios runs it',
  'unweave overlap -- <test command>': 'test/e2e/overlap runs those that matter',
  'unweave overlap': 'test/e2e/overlap runs those that matter',
  'unweave overlap --calls': 'the same',
  'unweave overlap --calls -- <test command>': 'the same',
  'unweave overlap --calls -- node --test test/store.test.js': 'the same',
  'unweave overlap -- node --test test/shop.test.js': 'the same',
  'unweave overlap --budget 5m --json report.json -- npm test': 'the same',
  'unweave export ID': 'test/e2e/told/export runs it',
  'unweave export': 'test/e2e/told/export runs it',
  'unweave run harnesses/bank.ts': 'the folder is run',
  'unweave run harnesses/shop.ts': 'the same',
  'node --test': 'plain Node',
  'node test.js': 'the same',
  'npm run table1': 'takes hours, and writes a document',
  'UPDATE_GOLDENS=1 npx node --test test/report/*.test.ts': 'writes sources',
  'cd harnesses/readmes': 'belongs to the next two',
  'node ../../dist/cli/bin.js overlap --calls --instrument keyv-file -- node --test cases/keyv-file.test.mjs':
    'needs those packages',
  'cd harnesses/hunt': 'belongs to the next two',
  'npm install': 'downloads packages',
  'npm install --save-dev bullmq ioredis': 'the same',
  'node ../../dist/cli/bin.js run --witness -- node --test "cases/*.test.mjs"': 'needs those packages',
  'cd harnesses/scenarios': 'for what follows',
  'node ../../dist/cli/bin.js run session-file-store.mjs': 'the same',
  'npm install --no-save p-memoize@7.0.0 && node ../../dist/cli/bin.js run p-memoize.mjs': 'the same',
};

test('every command of the documents is here', () => {
  const run = [...STEPS, ...IN_CLONE].map(([command]) => command);
  assert.deepEqual(new Set(COMMANDS), new Set([...run, ...NAMES, ...Object.keys(NOT_RUN)]));
});

for (const [command, run, code, says] of IN_CLONE)
  test(`in a clone: ${command}`, async (t) => {
    const cwd = project(t, {});
    const line = run.includes('dist/cli') ? `${run} --store '${join(cwd, 'trace.db')}'` : run;
    const ended = await inShell(ROOT, line);
    assert.equal(ended.code, code, ended.out + ended.err);
    assert.match(ended.out, says);
  });

test('every command does what the documents say', async (t) => {
  const manifest = JSON.stringify({ type: 'module', private: true, scripts: { test: 'node --test' } });
  const cwd = project(t, { 'package.json': manifest, ...FILES });
  install(cwd);
  let bug = '';
  let cutPoint = '';
  for (const [command, code, says] of STEPS) {
    const typed = seldom(command).replace('b7f3a1', bug).replace('c3f1a90b7d', cutPoint);
    const isDebugged = /--inspect-brk|--break/.test(command);
    const ended = await inShell(cwd, VIA_NPX.test(command) ? `npx --no-install ${typed}` : typed, isDebugged);
    const told = `${typed}\n${ended.out}${ended.err}`;
    assert.equal(ended.code, code, told);
    assert.match(ended.out, says, told);
    // A process in the debugger shows the output of the test runner, stacks and all.
    if (!isDebugged) assertCalm(ended);
    bug = /unweave replay (\w+)/.exec(ended.out)?.[1] ?? bug;
    cutPoint = /^│ (\w{10}) /m.exec(ended.out)?.[1] ?? cutPoint;
  }
  await assertNoOrphans(cwd);
});

/** A line typed into a shell. Processes that wait for a debugger get one that lets them go on. */
function inShell(cwd: string, line: string, debugged = false): Promise<Ended> {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const path = [dirname(process.execPath), join(cwd, 'node_modules/.bin'), env['PATH']].join(delimiter);
  const child = spawn('sh', ['-c', line], { cwd, env: { ...env, PATH: path, NO_COLOR: '1' } });
  if (debugged) letGo(child);
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (data) => (texts.out += data));
  child.stderr.setEncoding('utf8').on('data', (data) => (texts.err += data));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
}

function letGo(child: ChildProcess): void {
  const urls = new Set<string>();
  let text = '';
  child.stderr!.on('data', (data) => {
    // An address may come in two pieces.
    text += data;
    for (const [, url = ''] of text.matchAll(/Debugger listening on (ws:\S+)\s/g)) urls.add(url);
  });
  // What is said before a process has begun to wait is lost: it is said until all have ended.
  const saying = setInterval(() => {
    for (const url of urls) {
      const socket = new WebSocket(url);
      socket.onopen = () => socket.send('{"id":1,"method":"Runtime.runIfWaitingForDebugger"}');
      socket.onmessage = () => socket.close();
      socket.onerror = () => urls.delete(url);
    }
  }, 100);
  child.once('close', () => clearInterval(saying));
}

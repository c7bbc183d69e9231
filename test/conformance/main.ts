/**
 * `npm run conformance -- <test262> [--only text] [--jobs n] [--typescript | --linked]`: runs the tests of the language of a copy of
 * test262 plainly and instrumented, and prints those that end differently. Exits with 1 if there are any.
 */
import { fork } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { temporary } from '../temporary.ts';
import { type Scenario, scenariosOf, testFiles } from './cases.ts';
import type { Suite } from './outcome.ts';
import type { Job, Result } from './worker.ts';

/** Scenarios of one process: what it has instrumented it keeps. */
const BATCH = 400;
/** Modules that are linked by us share the realm of their process. */
const BATCH_LINKED = 1;
/** Of what says nothing for so long it is said that it hangs. */
const SILENCE = 20_000;
const HANGS = 'hangs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    typescript: { type: 'boolean', default: false },
    linked: { type: 'boolean', default: false },
  },
});
const [root] = positionals;
if (root === undefined || !existsSync(join(root, 'harness/assert.js'))) {
  console.error('conformance: give the folder of a copy of https://github.com/tc39/test262');
  process.exit(2);
}
const tests = resolve(root, 'test/language');
const suite: Suite = {
  tests: values.linked ? asModules(tests) : tests,
  harness: resolve(root, 'harness'),
};

/** The folder once more, in a package in which every file is an ES module. */
function asModules(folder: string): string {
  const made = temporary('conformance');
  writeFileSync(join(made, 'package.json'), '{"type":"module"}');
  symlinkSync(folder, join(made, 'language'));
  return join(made, 'language');
}

/** Runs a batch in a process of its own. What a scenario that hangs keeps from running is run by another process. */
function run(scenarios: readonly Scenario[]): Promise<Result[]> {
  const { promise, resolve: settle } = Promise.withResolvers<Result[]>();
  const results: Result[] = [];
  const child = fork(new URL('worker.ts', import.meta.url), {
    execArgv: ['--experimental-vm-modules', '--no-warnings', '--preserve-symlinks'],
  });
  const kill = () => child.kill('SIGKILL');
  let timer = setTimeout(kill, SILENCE);
  let plain = HANGS;
  child.on('message', (message: Result | string) => {
    clearTimeout(timer);
    timer = setTimeout(kill, SILENCE);
    if (typeof message !== 'string') results.push(message);
    plain = typeof message === 'string' ? message : HANGS;
  });
  child.on('exit', async () => {
    clearTimeout(timer);
    const stuck = scenarios[results.length];
    if (stuck === undefined) return settle(results);
    results.push({ scenario: stuck, plain, ours: HANGS });
    settle([...results, ...(await run(scenarios.slice(results.length)))]);
  });
  if (scenarios.length === 0) child.disconnect();
  else child.send({ suite, scenarios, typescript: values.typescript, linked: values.linked } satisfies Job);
  return promise;
}

const scenarios = testFiles(suite.tests)
  .filter((file) => file.includes(values.only))
  .flatMap((file) => scenariosOf(suite.tests, file))
  .filter(({ mode }) => !values.linked || mode === 'module');
const counts = { ran: 0, same: 0, differ: 0, apart: 0 };

async function take(): Promise<void> {
  const size = values.linked ? BATCH_LINKED : BATCH;
  for (let batch = scenarios.splice(0, size); batch.length > 0; batch = scenarios.splice(0, size)) {
    for (const { scenario, plain, ours } of await run(batch)) {
      counts.ran++;
      if (ours === null) counts.apart++;
      else if (plain === ours) counts.same++;
      else {
        counts.differ++;
        console.log(`${scenario.file} (${scenario.mode})\n  plain: ${plain}\n  ours:  ${ours}`);
      }
    }
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, take));
console.log(
  `${counts.ran} ran, ${counts.same} the same, ${counts.differ} differ, ${counts.apart} not linked`,
);
process.exitCode = counts.differ > 0 ? 1 : 0;

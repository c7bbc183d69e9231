/** Forced runs of one case of two tasks with timers under each test runner, beside what the runner does by itself. */
import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as NodeTest from '../../rescheduler/subjects/node-test.ts';
import { temporary } from '../../test/temporary.ts';
import { benchFile, ours } from '../lib/ours.ts';
import { type Case, median, type Row } from '../lib/rows.ts';

const limits = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 10_000 };
const MODULES = benchFile('../node_modules');

/** So many cases of a plain command. */
const PLAIN_CASES = 300;

const BODY = `
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const two = async () => {
  let balance = 0;
  const add = async () => {
    balance += 1;
    await sleep(1);
  };
  await Promise.all([add(), add()]);
  if (balance !== 2) throw new Error(String(balance));
};
`;

interface Contestant {
  readonly name: string;
  readonly head: string;
  readonly argv: readonly string[];
}

const CONTESTANTS: readonly Contestant[] = [
  { name: 'Mocha', head: '', argv: ['mocha/bin/mocha.js', 'x.test.js'] },
  { name: 'Vitest', head: `import { it } from 'vitest';`, argv: ['vitest/vitest.mjs', 'run'] },
  { name: 'Jest', head: '', argv: ['jest/bin/jest.js'] },
];

const run: Case = async ({ rounds, share }) => {
  const { recordCommand } = await ours<typeof NodeTest>('rescheduler/subjects/node-test');
  const rows: Row[] = [];
  for (const { name, head, argv } of CONTESTANTS) {
    const cwd = temporary('bench-runners');
    symlinkSync(MODULES, join(cwd, 'node_modules'));
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
    const [script, ...args] = argv;
    const command = [process.execPath, join(MODULES, script!), ...args];
    const put = (cases: string) => writeFileSync(join(cwd, 'x.test.js'), `${head}${BODY}${cases}`);

    put(`for (let i = 0; i < ${PLAIN_CASES}; i++) it('two ' + i, two);`);
    const plain = [];
    for (let round = 0; round < Math.min(3, rounds); round++) {
      const started = performance.now();
      spawnSync(command[0]!, command.slice(1), { cwd });
      plain.push((1000 * PLAIN_CASES) / (performance.now() - started));
    }

    put(`it('two', two);`);
    const [subject] = await recordCommand(command, { cwd });
    const runs = Math.ceil(300 * share);
    const warm = [];
    let seed = 0;
    for (let round = 0; round <= rounds; round++) {
      const started = performance.now();
      for (let i = 0; i < runs; i++) await subject!.execute({ kind: 'random', seed: seed++ }, { limits });
      if (round > 0) warm.push((1000 * runs) / (performance.now() - started));
    }
    await subject!.close();
    rmSync(cwd, { recursive: true, force: true });
    rows.push({
      what: `${name}, warm process (300 wanted)`,
      unit: 'runs/s',
      ours: median(warm),
      peer: { name: `a plain command of ${PLAIN_CASES} such cases`, value: median(plain) },
      goal: null,
    });
  }
  return rows;
};

export default run;

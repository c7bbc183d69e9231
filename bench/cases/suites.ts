/**
 * The whole default analysis of a test suite beside `node --test` of it: time, and peak memory. One suite has one order
 * per test, the other one tests that do things side by side.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporary } from '../../test/temporary.ts';
import { type Case, median, type Row } from '../lib/rows.ts';
import { type SuiteName, writeSuite } from '../lib/suites.ts';

const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
const PLAIN = ['--test'];
const ANALYSED = [BIN, 'run', '--', 'node', '--test'];
/** What the analysis may take besides twice the memory of the plain run, MB. */
const BESIDES = 300;
const LOOK_MS = 50;

interface Measured {
  readonly seconds: number;
  /** Of all its processes together, MB. */
  readonly peak: number;
}

const run: Case = async ({ rounds, share }) => {
  const rows: Row[] = [];
  for (const [name, tests, atMost] of [
    ['http', 200, 2],
    ['mixed', 60, 5],
  ] as const)
    rows.push(...(await suite(name, Math.ceil(tests * share), atMost, Math.ceil(rounds / 3))));
  return rows;
};

async function suite(name: SuiteName, tests: number, atMost: number, rounds: number): Promise<Row[]> {
  const folder = temporary('bench-suite');
  try {
    writeSuite(folder, name, tests);
    const plain: Measured[] = [];
    const analysed: Measured[] = [];
    for (let round = 0; round < rounds; round++) {
      plain.push(await measure(folder, PLAIN));
      rmSync(join(folder, '.unweave'), { recursive: true, force: true });
      analysed.push(await measure(folder, ANALYSED));
    }
    const [ours, peer] = [analysed, plain].map((all) => ({
      seconds: median(all.map(({ seconds }) => seconds)),
      peak: median(all.map(({ peak }) => peak)),
    })) as [Measured, Measured];
    const what = `analysis of ${tests} ${name === 'http' ? 'sequential http' : 'mixed'} tests`;
    return [
      {
        ...{ what, unit: 's', ours: ours.seconds, goal: { atMost } },
        peer: { name: 'node --test', value: peer.seconds },
        pairs: analysed.map(({ seconds }, round) => seconds / plain[round]!.seconds),
      },
      {
        ...{ what: `${what}: peak memory`, unit: 'MB', ours: ours.peak },
        peer: { name: 'node --test', value: peer.peak },
        goal: { atMost: 2 + BESIDES / peer.peak },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs Node in the folder until its end, and looks at its processes meanwhile. */
async function measure(cwd: string, args: readonly string[]): Promise<Measured> {
  const env = { ...process.env };
  delete env['NODE_TEST_CONTEXT'];
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' });
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, residentOf(child.pid!));
  }, LOOK_MS);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(look);
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - started) / 1000, peak };
}

/** Resident memory of a process and all that it started, MB; 0 where the system does not tell it. */
function residentOf(root: number): number {
  const parents = new Map<number, number>();
  const resident = new Map<number, number>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const status = statusOf(name);
      const field = (key: string): number =>
        Number(new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      parents.set(Number(name), field('PPid'));
      resident.set(Number(name), field('VmRSS'));
    }
  } catch {
    return 0;
  }
  let sum = 0;
  for (const [pid, size] of resident) {
    let at: number | undefined = pid;
    while (at !== undefined && at !== root) at = parents.get(at);
    if (at === root) sum += size / 1024;
  }
  return sum;
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has just ended.
    return '';
  }
}

export default run;

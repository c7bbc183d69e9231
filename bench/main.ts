/**
 * `npm run bench [-- case …] [--quick]`: figures of this machine, now, each beside a peer or a floor that was
 * measured in the same rounds. There are no absolute numbers to reach: what counts is the ratio.
 * `--short`: less of it, and an error where a case is broken or a ratio much worse than recorded; with `--record` the
 * ratios are recorded instead.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { benchFile, built } from './lib/ours.ts';
import { record, worse } from './lib/recorded.ts';
import { FULL, QUICK, type Row, SHORT } from './lib/rows.ts';
import { renderTable } from './lib/table.ts';

/** Those that a short measurement is made of: quick ones, whose ratios are steady. */
const SHORT_CASES = ['forced', 'monitoring', 'startup', 'subjects', 'files'];
const CASES = [...SHORT_CASES, 'runners', 'tokens', 'memory', 'prediction', 'scenarios', 'threads', 'suites'];

const args = process.argv.slice(2);
const short = args.includes('--short');
const effort = short ? SHORT : args.includes('--quick') ? QUICK : FULL;
const wanted = args.filter((arg) => !arg.startsWith('--'));
const unknown = wanted.find((name) => !CASES.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`no case '${unknown}'; there are: ${CASES.join(', ')}\n`);
  process.exit(2);
}

/** A process each: the gate wraps the host of the process that it is installed in. */
async function measure(name: string): Promise<Row[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--expose-gc', benchFile('lib/run-case.ts'), name, JSON.stringify(effort)],
    // Time of the processors is steadier on a busy machine.
    { env: { ...process.env, ...(short ? { BENCH_CLOCK: 'cpu' } : {}) } },
  );
  return JSON.parse(stdout) as Row[];
}

process.stdout.write(`node ${process.version}, ${built ? 'compiled' : 'type-stripped sources'}\n`);
const failed: string[] = [];
for (const name of wanted.length > 0 ? wanted : short ? SHORT_CASES : CASES) {
  try {
    let rows = await measure(name);
    process.stdout.write(renderTable(rows));
    if (args.includes('--record')) record(name, rows);
    else if (short && worse(name, rows).length > 0) {
      // Something else may have kept the machine busy: what is really worse is so again.
      rows = await measure(name);
      process.stdout.write(renderTable(rows));
      failed.push(...worse(name, rows));
    }
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    failed.push(`case ${name} is broken: ${stderr?.trim() || message}`);
  }
}
for (const line of failed) process.stderr.write(`${line}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;

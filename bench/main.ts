/**
 * `npm run bench [-- case …] [--quick]`: figures of this machine, now, each beside a peer or a floor that was
 * measured in the same rounds. There are no absolute numbers to reach: what counts is the ratio.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { benchFile, built } from './lib/ours.ts';
import type { Row } from './lib/rows.ts';
import { renderTable } from './lib/table.ts';

const CASES = [
  'forced',
  'monitoring',
  'memory',
  'prediction',
  'threads',
  'tokens',
  'startup',
  'subjects',
  'files',
];

const args = process.argv.slice(2);
const quick = args.includes('--quick');
const wanted = args.filter((arg) => !arg.startsWith('--'));
const unknown = wanted.find((name) => !CASES.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`no case '${unknown}'; there are: ${CASES.join(', ')}\n`);
  process.exit(2);
}

process.stdout.write(`node ${process.version}, ${built ? 'compiled' : 'type-stripped sources'}\n`);
for (const name of CASES) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  // A process each: the gate wraps the host of the process that it is installed in.
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    '--expose-gc',
    benchFile('lib/run-case.ts'),
    name,
    String(quick),
  ]);
  process.stdout.write(renderTable(JSON.parse(stdout) as Row[]));
}

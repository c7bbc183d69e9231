/**
 * `npm run neutral -- <folder or script…>` or `npm run neutral -- -- <test command>`: runs each plainly and under us, and
 * says where the two disagree. Under us it is recorded in the natural order; `--force` also forces orders, as the default
 * command would, or for no longer than `--max-time` seconds each. `--every n` takes a sample. Exits 1 when something that passes plainly does not pass here.
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import PQueue from 'p-queue';
import { differs, type Row } from './row.ts';
import { scriptsIn, tryScript } from './scripts.ts';
import { trySuite } from './suite.ts';
import { differing, table } from './table.ts';

const USAGE = `usage: npm run neutral -- [--json file] [--jobs n] [--limit s] [--force [--max-time s]] [--every n] <folder or script…>
       npm run neutral -- [--json file] [--limit s] [--force [--max-time s]] -- <test command>`;

const at = process.argv.indexOf('--', 2);
const command = at < 0 ? [] : process.argv.slice(at + 1);
const { values, positionals } = read(at < 0 ? process.argv.slice(2) : process.argv.slice(2, at));
const jobs = count(values.jobs, availableParallelism());
const limitMs = 1000 * count(values.limit, 60);
const budget = values['max-time'] === undefined ? [] : ['--max-time', String(count(values['max-time'], 1))];
const options = values.force ? budget : ['--max-schedules', '0'];

const rows: Row[] = command.length > 0 ? await trySuite(command, options, limitMs) : await scripts();
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 1)}\n`);
process.stdout.write(`${[table(rows), '', ...differing(rows)].join('\n')}\n`);
process.exit(rows.some(differs) ? 1 : 0);

async function scripts(): Promise<Row[]> {
  const files = (await scriptsIn(positionals)).filter((_, i) => i % count(values.every, 1) === 0);
  if (files.length === 0) fail('no scripts there');
  const free = Array.from({ length: jobs }, (_, i) => i + 1);
  const queue = new PQueue({ concurrency: jobs });
  const rows: Row[] = [];
  const one = async (file: string): Promise<void> => {
    const place = free.pop()!;
    rows.push(await tryScript(file, place, options, limitMs));
    free.push(place);
    if (process.stderr.isTTY) process.stderr.write(`\r${rows.length}/${files.length} `);
  };
  await Promise.all(files.map((file) => queue.add(() => one(file))));
  return rows.sort((a, b) => a.name.localeCompare(b.name));
}

function read(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: 'string' },
        jobs: { type: 'string' },
        limit: { type: 'string' },
        every: { type: 'string' },
        'max-time': { type: 'string' },
        force: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail((error as Error).message);
  }
}

function count(text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  return Number.isInteger(value) && value > 0 ? value : fail(`'${text}' is no positive whole number`);
}

function fail(why: string): never {
  process.stderr.write(`${why}\n${USAGE}\n`);
  process.exit(2);
}

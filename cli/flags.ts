/** The options of the commands, in groups that `--help` keeps. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FAIL_NAMES, FAIL_SWITCHES } from '../data/fail-on.ts';
import { LOOPBACKS } from '../data/feasibility/rules.ts';
import { type Shard, shardSchema } from '../data/plan.ts';
import { type ReporterName, WANTED, type WantedReporter, type WantedTable } from '../report/wanted.ts';
import { SEARCHES, SEEDED } from '../rescheduler/strategies/list.ts';

/** A parser of whole numbers from `least` on. */
export function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(value) || value < least)
      throw new InvalidArgumentError(`expected a whole number from ${least} on`);
    return value;
  };
}

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;

/** A duration in seconds: a number of them, or numbers with units as in `1h30m`. */
export function seconds(text: string): number {
  const trimmed = text.trim();
  const parts = [...trimmed.matchAll(PART)];
  const hasUnits = parts.length > 0 && parts.map(([part]) => part).join('') === trimmed;
  const value = hasUnits
    ? parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit!]!, 0)
    : Number(trimmed);
  if (trimmed === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError(
      'expected a number of seconds above 0, or a duration such as 90s, 5m, 1h30m',
    );
  return value;
}

/** Repeatable, and comma separated. Braces of a glob keep their commas. */
export function list(text: string, before: readonly string[] = []): string[] {
  const items = text
    .split(/,(?![^{]*\})/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length === 0) throw new InvalidArgumentError('expected at least one name');
  return [...before, ...items];
}

/** A part of a whole: `2/4`. */
export function shard(text: string): Shard {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text.trim()) ?? [];
  const parsed = shardSchema.safeParse({ index: Number(index), of: Number(of) });
  if (!parsed.success) throw new InvalidArgumentError('expected i/n with i from 1 to n, such as 2/4');
  return parsed.data;
}

/** Lists that count for the exit code, or do not: `timing,no-blind`. */
export function failOn(text: string, before: readonly string[] = []): string[] {
  const words = list(text);
  if (words.some((word) => !FAIL_SWITCHES.some((known) => known === word)))
    throw new InvalidArgumentError(`expected ${FAIL_NAMES.join(', ')}, each perhaps with no- before it`);
  return [...before, ...words];
}

/** Reports by name, each with the file that it writes: `sarif,junit=out/junit.xml`. */
const reportersOf =
  (table: WantedTable) =>
  (text: string, before: readonly WantedReporter[] = []): WantedReporter[] =>
    list(text).reduce(
      (all, item) => {
        const at = item.indexOf('=');
        const named = at < 0 ? item : item.slice(0, at);
        const row = Object.hasOwn(table, named) ? table[named] : undefined;
        const file = at < 0 ? row?.file : item.slice(at + 1);
        if (!row || !file)
          throw new InvalidArgumentError(
            `expected ${Object.keys(table).join(', ')}, each perhaps with =<file>`,
          );
        const name = named as ReporterName;
        return [...all.filter((other) => other.name !== name), { name, file }];
      },
      [...before],
    );

export const reporterOption = (table: WantedTable = WANTED): Option => {
  const names = Object.entries(table).map(([name, { about }]) => (about ? `${name} (${about})` : name));
  return option(
    '--reporter <name[=file]>',
    `other reports: ${names.join(', ')}; repeatable, commas`,
    reportersOf(table),
  );
};

const option = (
  flags: string,
  description: string,
  parse?: (text: string, before: any) => unknown,
): Option => {
  const made = new Option(flags, description);
  return parse ? made.argParser(parse) : made;
};

/** Groups of options; each command takes those that concern it. */
export const FLAGS = {
  scope: () => [
    option('--instrument <name>', 'package of node_modules or glob to look into; repeatable, commas', list),
    option('--exclude <glob>', 'files never to look into; repeatable', list),
    option('--command-timeout <s>', 'silence after which a test file is ended, alone (default: 60)', seconds),
  ],
  assume: () => [
    option(
      '--allow-peer <host:port>',
      'server in another process that forced runs may talk to, or path of a socket; repeatable',
      list,
    ),
    option('--assume-io <file-glob|file#function>', 'its calls answer like a host request; repeatable', list),
    option(
      '--max-stall <ms>',
      'the longest delay of an answer that an order may need (default: 1000)',
      wholeFrom(0),
    ),
    option(
      '--assume-stall <ms>',
      'also try longer delays, up to this; what needs them is conditional',
      wholeFrom(0),
    ),
    option(
      '--loopback <kind>',
      'what lies between two ends in one process: network, or strict, where the kernel hands over at once (default: network)',
    ).choices(LOOPBACKS),
  ],
  budget: () => [
    option(
      '--max-schedules <n>',
      'forced orders per test (default: at most 200); given, all are used',
      wholeFrom(0),
    ),
    option(
      '--max-time <time>',
      'time per test, in seconds or as 90s, 5m (default: at most 60); given, all of it is used',
      seconds,
    ),
    option('--deep', 'search each test further, by what is new: 5000 orders, five minutes'),
    option(
      '--budget <time>',
      'time for everything, the likeliest findings first: each test gets its share before any gets a second',
      seconds,
    ),
    option('--total-time <time>', 'the same', seconds).conflicts('budget'),
  ],
  search: () => [
    option(
      '--strategy <name>',
      `how orders are chosen (default: directed); ${SEEDED.map(({ name, about }) => `${name}: ${about}`).join('; ')}`,
    ).choices(SEARCHES),
    option('--seed <n>', 'of random orders (default: 1)', wholeFrom(0)),
    option(
      '--confirm <k>',
      'failures, and passes of the control, that confirm a bug (default: 3)',
      wholeFrom(1),
    ),
    option('--jobs <n>', 'processes at a time (default: all cores)', wholeFrom(1)),
  ],
  known: () => [
    option('--baseline <file>', 'known bugs: shown as known, not counted'),
    option('--write-baseline <file>', 'write the bugs found as known'),
    option('--prune-baseline', 'take out of the baseline what is found no more').conflicts('writeBaseline'),
    option('--report-only', 'exit with 0 whatever is found'),
    option(
      '--fail-on <list>',
      `what makes the exit code 1 or 3 (docs/reports.md): ${FAIL_NAMES.join(', ')}; no-<list> takes one out; repeatable, commas`,
      failOn,
    ),
  ],
  changed: () => [
    option(
      '--changed [ref]',
      'keep what earlier runs have found out of tests that nothing has changed for; with a commit, force only tests that load what has changed since',
    ),
  ],
  shard: () => [
    option('--shard <i/n>', 'force the part i of n of a store that unweave plan has made', shard).conflicts([
      'changed',
      'list',
    ]),
  ],
  queue: () => [option('--redis <url>', 'the server that the queue is on')],
  merge: () => [option('--partial', 'report what is there although shards are missing')],
  replay: () => [
    option('--times <n>', 'replay it so often (default: 1)', wholeFrom(1)),
    option('--inspect-brk', 'stop in the debugger before the first step'),
    option('--break', 'stop in the debugger at the accesses that explain the bug instead'),
    option('--trace', 'tell the run event by event, with a column for each task'),
  ],
  explain: () => [
    option('--test-name-pattern <pattern>', 'a regular expression that the name of the test matches'),
    option('--times <n>', 'run it so often on plain Node first (default: 10)', wholeFrom(1)),
  ],
  out: () => [
    option('--out <file>', 'the test that is written (default: beside the one that showed the bug)'),
  ],
  witness: () => [
    option('--witness [n]', 'run each bug on plain Node so often, with late answers (n: 10)', wholeFrom(1)),
  ],
  rows: () => [option('--rows', 'store every event as a row, for the sqlite3 shell')],
  std: () => [
    option('--std <file>', 'a trace of threads in STD format, instead of the store (docs/std-traces.md)'),
  ],
  all: () => [
    option('--all', 'predict --std: every reachable occurrence with its schedule, not one of each kind'),
  ],
  writeStd: () => [
    option('--write-std <file>', 'with --std: write the schedule of the first cut point shown as a trace'),
  ],
  list: () => [option('--list', 'only say what would be run, with an estimate')],
  json: () => [
    option('--json <file>', 'write the JSON report; "-": to standard output, and nothing else there'),
  ],
  reporters: () => [
    option('--html [file]', `one HTML file for people (default: ${WANTED.html.file})`),
    reporterOption(),
  ],
  common: () => [
    option('--store <path>', 'the trace store (default: .unweave/trace.db)'),
    option(
      '--config <file>',
      'configuration (default: unweave.config.{ts,js,mjs,json,…}, or the key "unweave" of package.json)',
    ),
    option('--no-color', 'no colours (also: NO_COLOR)'),
    option('--verbose', 'say more'),
  ],
} as const satisfies Record<string, () => Option[]>;

/** Adds groups of options to a command. */
export function addFlags(command: Command, groups: readonly (keyof typeof FLAGS)[]): Command {
  for (const group of groups) for (const flag of FLAGS[group]()) command.addOption(flag);
  return command;
}

/** The table as Markdown. */
import type { Measured } from './measure.ts';
import type { TableRow } from './rows.ts';

export interface TableLine {
  readonly row: TableRow;
  readonly measured: Measured;
  /** Errors found in the repaired twin; null: there is none. */
  readonly twin: Measured | null;
}

const HEAD = [
  ...['application', 'input', 'threads', 'entities', 'locks', 'events', 'monitoring', 'switches'],
  ...['predicted', 'prediction', 'seen / infeasible / feasible', 'mean switches', 'a schedule', 'errors'],
  ...['found', 'repaired twin', 'the paper'],
];

const integer = (value: number): string => Math.round(value).toLocaleString('en');
const duration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** The cells of one row, in the order of the head. */
export function cellsOf({ row, measured: m, twin }: TableLine): string[] {
  const { tried } = m;
  const found = m.bugs.map(({ what, after }) => `${what} (${after})`);
  return [
    ...[row.application, row.input, integer(m.threads), integer(m.entities), integer(m.locks)],
    ...[integer(m.events), duration(m.monitorMs), m.switches === null ? '' : integer(m.switches)],
    integer(m.predicted) + (m.undecided > 0 ? ` + ${integer(m.undecided)}?` : ''),
    duration(m.predictMs),
    `${tried.seen} / ${tried.infeasible} / ${tried.feasible}`,
    ...(tried.feasible > 0 ? [integer(tried.switches), duration(tried.ms)] : ['', '']),
    integer(tried.errors),
    found.length > 0 ? found.join(', ') : (m.note ?? ''),
    twin === null ? '' : twin.tried.errors === 0 ? 'silent' : `${twin.tried.errors} errors`,
    row.paper,
  ];
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The rows of a table that was written before, by application and input. */
export function linesIn(text: string): Map<string, readonly string[]> {
  const rows = text
    .split('\n')
    .filter((each) => each.startsWith('| '))
    .map((each) => each.slice(2, -2).split(' | '));
  return new Map(rows.map((cells) => [`${cells[0]} ${cells[1]}`, cells]));
}

/** `lines`: the cells of each row. */
export function markdown(lines: readonly (readonly string[])[], node: string): string {
  return `# The table of the paper

Written by \`npm run table1\`: the programs of Penelope's table 1, written anew for Node.js (\`harnesses/\`), through the
whole pipeline. Figures are of one machine under load, and not all of one hour (Node.js ${node}); a row that is missing was
not run yet. The last column is what the paper says in words.

* *monitoring*: recording the observed order, two further runs of it in fresh processes, and starting them.
* *switches*: between threads, in the observed order. Nobody is preempted there.
* *predicted*: cut points, one of each kind; *+ n?*: so many kinds of a long trace were left without a schedule.
* *seen*: the observed order shows the pattern already; *infeasible*: the program could not, or did not, go that way;
  *feasible*: the schedule was followed, and its pattern occurred.
* *mean switches*, *a schedule*: context switches of a feasible schedule, and the time of one execution under it.
* *errors*: failures that differ, each confirmed in fresh processes; *found*: pattern and entity of each, and after how
  many schedules.

${line(HEAD)}
${line(HEAD.map((head) => (/application|input|found|twin|paper/.test(head) ? '---' : '--:')))}
${lines.map(line).join('\n')}
`;
}

/** The space-time table: a column per task, time downwards, the three accesses marked. */
import Table from 'cli-table3';
import { code } from './entity.ts';
import { ink, MARKS } from './ink.ts';
import { count, shorten, shortenStart, wrap } from './layout.ts';
import { place, stepPhrase, verb } from './phrase.ts';
import { type SourceReader, sourceLine } from './sources.ts';
import type { Style } from './style.ts';
import { type AccessView, type CutPointView, entityOf, type Role, type StepRow } from './view.ts';

const ROLES: readonly Role[] = ['first', 'remote', 'second'];
/** An order with more rows than this shows only what matters; what still has more, the accesses and the reordered pair. */
const MAX_ROWS = 10;
const MAX_TOLD = 10;
const MAX_TASKS = 4;

const BARE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '─',
  'mid-mid': '┼',
  right: '',
  'right-mid': '',
  middle: '│',
};

/** A row to print, or how many were left out here. */
type TableLine = { readonly row: StepRow } | { readonly left: number };

/** The three accesses as rows, for orders that were not recorded with accesses. */
function accessRows(cut: CutPointView): StepRow[] {
  return ROLES.map((role) => {
    const access = cut[role];
    return { task: access.task, what: access.text, site: access, kind: 'access', role };
  });
}

/** When both tasks have one name, the remote one's accesses get a column of their own. */
function distinct(cut: CutPointView | null, rows: readonly StepRow[]): readonly StepRow[] {
  if (!cut || cut.first.task !== cut.remote.task) return rows;
  return rows.map((row) => (row.role === 'remote' ? { ...row, task: `${row.task} (the other)` } : row));
}

function rowsOf(cut: CutPointView | null, failing: readonly StepRow[]): readonly StepRow[] {
  if (!cut) return failing;
  return ROLES.every((role) => failing.some((row) => row.role === role)) ? failing : accessRows(cut);
}

/** Keeps what matters of a long order; the accesses are always kept. `pair`: the steps that it comes down to. */
function condense(
  rows: readonly StepRow[],
  moved: ReadonlySet<StepRow>,
  pair: ReadonlySet<StepRow>,
): TableLine[] {
  if (rows.length <= MAX_ROWS) return rows.map((row) => ({ row }));
  const told = rows.filter((row) => row.role || moved.has(row)).length;
  const matters = (row: StepRow): boolean => pair.has(row) || (told <= MAX_TOLD && moved.has(row));
  const lines: TableLine[] = [];
  let left = 0;
  const flush = () => {
    if (left > 0) lines.push({ left });
    left = 0;
  };
  for (const row of rows) {
    if (row.role || matters(row)) {
      flush();
      lines.push({ row });
    } else left += 1;
  }
  flush();
  return lines;
}

function accessCell(
  access: AccessView,
  role: Role,
  entity: string,
  width: number,
  read: SourceReader,
): string[] {
  const source = sourceLine(read, access, width - 2) ?? shorten(access.text, width - 2);
  return [
    ...wrap(`${MARKS[role]} ${verb(access.access)} \`${entity}\``, width),
    `  ${source}`,
    `  ${shortenStart(place(access), width - 2)}`,
  ];
}

function stepCell(row: StepRow, moved: boolean, width: number, names: boolean): string[] {
  const task = names ? `${code(row.task)}: ` : '';
  return wrap(`${moved ? '→' : '·'} ${task}${stepPhrase(row)}`, width);
}

/** Tasks in the order in which they first act; those without an access last, when there are too many. */
function columnsOf(lines: readonly TableLine[]): string[] {
  const named = lines.flatMap((line) => ('row' in line ? [line.row.task] : []));
  const tasks = [...new Set(named)];
  if (tasks.length <= MAX_TASKS) return tasks;
  const leading = lines.flatMap((line) => ('row' in line && line.row.role ? [line.row.task] : []));
  return [...new Set([...leading, ...tasks])].slice(0, MAX_TASKS);
}

/**
 * Renders an order. `moved` marks the steps that were moved against the natural order, `pair` are the two that matter
 * most.
 */
export function renderSpaceTime(
  cut: CutPointView | null,
  failing: readonly StepRow[],
  moved: ReadonlySet<StepRow>,
  pair: ReadonlySet<StepRow>,
  read: SourceReader,
  style: Style,
): string[] {
  const lines = condense(distinct(cut, rowsOf(cut, failing)), moved, pair);
  const tasks = columnsOf(lines);
  if (tasks.length === 0) return [];
  const width = Math.floor((style.width - 6) / tasks.length) - 3;
  const table = new Table({
    head: ['', ...tasks.map((task) => ` ${style.colors.bold(shorten(task, width))}`)],
    chars: BARE,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 1, compact: true },
    colWidths: [4, ...tasks.map(() => width + 3)],
  });
  let time = 0;
  for (const line of lines) {
    if ('left' in line) {
      time += line.left;
      table.push([
        '',
        style.colors.dim(` … ${count(line.left, 'step')} as usual`),
        ...tasks.slice(1).map(() => ''),
      ]);
      continue;
    }
    const { row } = line;
    time += 1;
    const access = row.role && cut ? cut[row.role] : null;
    const at = tasks.indexOf(row.task);
    const isNamed = at >= 0;
    const room = isNamed ? width : style.width - 6;
    const cell =
      access && row.role && cut
        ? accessCell(access, row.role, entityOf(cut, row.role), room, read)
        : stepCell(row, moved.has(row), room, !isNamed);
    const text = cell.map((part) => ` ${ink(part, style)}`).join('\n');
    // A task that has no column is named in its lines, which go over all of them.
    if (!isNamed) {
      table.push([style.colors.dim(String(time)), { content: text, colSpan: tasks.length }]);
      continue;
    }
    table.push([style.colors.dim(String(time)), ...tasks.map((_, j) => (j === at ? text : ''))]);
  }
  return table
    .toString()
    .split('\n')
    .map((text) => text.trimEnd());
}

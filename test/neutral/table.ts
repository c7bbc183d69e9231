/** The figures of many rows, by group, and the list of those that differ. */
import { differs, type Here, type Row } from './row.ts';

const HERE: readonly Here[] = ['passed', 'red', 'unknown', 'finding', 'not run'];
const HEAD = ['group', 'scripts', 'pass plainly', ...HERE.map((here) => `${here} here`), '%'];

export function table(rows: readonly Row[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))].sort();
  const lines = groups.map((group) =>
    figures(
      group,
      rows.filter((row) => row.group === group),
    ),
  );
  if (groups.length > 1) lines.push(figures('all', rows));
  const all = [HEAD, ...lines];
  const widths = HEAD.map((_, column) => Math.max(...all.map((line) => line[column]!.length)));
  return all
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Only what passes plainly is counted under us. */
function figures(name: string, rows: readonly Row[]): string[] {
  const plain = rows.filter((row) => row.plain === 'passed');
  const counts = HERE.map((here) => plain.filter((row) => row.here === here).length);
  const share = plain.length === 0 ? '' : ((100 * counts[0]!) / plain.length).toFixed(1);
  return [name, rows.length, plain.length, ...counts, share].map(String);
}

/** One line for each that passes plainly and not here, by cause; times where one is telling. */
export function differing(rows: readonly Row[]): string[] {
  return rows
    .filter(differs)
    .sort((a, b) => a.here.localeCompare(b.here) || a.cause.localeCompare(b.cause))
    .map(({ name, here, cause, took }) => {
      const slow =
        took.here > 10_000
          ? ` (${(took.plain / 1000).toFixed(1)} s, here ${(took.here / 1000).toFixed(1)} s)`
          : '';
      return `${here.padEnd(8)} ${name}: ${cause}${slow}`;
    });
}

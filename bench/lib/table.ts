/** Rows as aligned text. */
import { isMet, type Row, ratioOf } from './rows.ts';

const figure = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

function cells(row: Row): string[] {
  const { goal, peer } = row;
  const met = isMet(row);
  const limit = goal && ('atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`);
  return [
    row.what,
    `${figure(row.ours)} ${row.unit}`,
    peer ? `${peer.name} ${figure(peer.value)}` : '',
    peer ? `×${ratioOf(row).toFixed(2)}` : '',
    limit ? `${limit} ${met ? 'met' : 'MISSED'}` : '',
  ];
}

/** One line per row: what, ours, peer, ratio, goal. */
export function renderTable(rows: readonly Row[]): string {
  const lines = rows.map(cells);
  const widths = lines[0]?.map((_, i) => Math.max(...lines.map((line) => line[i]!.length))) ?? [];
  return `${lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n\n`;
}

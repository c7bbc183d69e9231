/**
 * `npm run table1 [-- part of a row's name …]`: the rows of Penelope's table, printed as they are ready. Without a
 * choice of rows the whole table is written to `docs/table1.md`.
 */
import { writeFileSync } from 'node:fs';
import { measure } from './measure.ts';
import { cellsOf, markdown, type TableLine } from './render.ts';
import { ROWS } from './rows.ts';

const wanted = process.argv.slice(2);
const chosen = ROWS.filter(
  ({ application, input }) =>
    wanted.length === 0 || wanted.some((part) => `${application} ${input}`.includes(part)),
);
if (chosen.length === 0) {
  process.stderr.write(`no row has '${wanted.join("' or '")}' in its name\n`);
  process.exit(2);
}

const lines: TableLine[] = [];
for (const row of chosen) {
  const measured = await measure(row, row.name);
  const twin = row.name.endsWith('/bad') ? await measure(row, row.name.replace(/bad$/, 'ok')) : null;
  const done = { row, measured, twin };
  lines.push(done);
  process.stdout.write(`${cellsOf(done).join(' | ')}\n`);
}
if (wanted.length === 0)
  writeFileSync(new URL('../../docs/table1.md', import.meta.url), markdown(lines, process.version));

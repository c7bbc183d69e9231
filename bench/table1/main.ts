/**
 * `npm run table1 [-- part of a row's name …]`: the rows of Penelope's table, printed as they are ready, and written to
 * `docs/table1.md`; rows that were not chosen stay there as they are.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { measure } from './measure.ts';
import { cellsOf, linesIn, markdown } from './render.ts';
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

const file = new URL('../../docs/table1.md', import.meta.url);
const lines = existsSync(file) ? linesIn(readFileSync(file, 'utf8')) : new Map<string, readonly string[]>();
for (const row of chosen) {
  const measured = await measure(row, row.name);
  const twin = row.name.endsWith('/bad') ? await measure(row, row.name.replace(/bad$/, 'ok')) : null;
  const cells = cellsOf({ row, measured, twin });
  process.stdout.write(`${cells.join(' | ')}\n`);
  lines.set(`${row.application} ${row.input}`, cells);
  const known = ROWS.map(({ application, input }) => lines.get(`${application} ${input}`));
  writeFileSync(
    file,
    markdown(
      known.filter((line) => line !== undefined),
      process.version,
    ),
  );
}

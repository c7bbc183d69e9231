/**
 * Says how well a budget is kept by programs that do not end: npm run stress -- [seconds] [name…]. On a quiet machine
 * each takes at most a fifth more, or two seconds.
 */
import { parseArgs } from 'node:util';
import { PROGRAMS } from './programs.ts';
import { underBudget } from './run.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [budget = '10', ...only] = positionals;
const allowed = Math.max(Number(budget) * 1.2, Number(budget) + 2);
let late = 0;
for (const [name, text] of Object.entries(PROGRAMS)) {
  if (only.length > 0 && !only.includes(name)) continue;
  const { code, seconds, out } = await underBudget(text, Number(budget));
  if (seconds > allowed) late += 1;
  const said = out.trimEnd().split('\n').at(-1) ?? '';
  console.log(
    `${seconds > allowed ? 'LATE' : 'ok  '} ${seconds.toFixed(1).padStart(5)} s of ${budget}  exit ${code}  ${name}: ${said}`,
  );
}
console.log(`${late} of ${only.length || Object.keys(PROGRAMS).length} late`);
process.exitCode = late > 0 ? 1 : 0;

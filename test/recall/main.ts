/**
 * `node test/recall/main.ts [class …] [-- options of the command]`: how many of the programs of each class are found, at which
 * forced run, whether what is named is what the table says, and whether the repaired ones are silent; exits 1 where one is not.
 */
import { EXPECTED } from './expected.ts';
import { type Judged, recall } from './recall.ts';

const args = process.argv.slice(2);
const cut = args.indexOf('--');
const options = cut < 0 ? [] : args.slice(cut + 1);
const kinds = cut < 0 ? args : args.slice(0, cut);

function summary(rows: readonly Judged[]): string {
  const at = rows.flatMap((row) => row.at ?? []).sort((a, b) => a - b);
  const median = at.length === 0 ? '–' : (at[(at.length - 1) >> 1]! + at[at.length >> 1]!) / 2;
  const right = rows.filter(({ isRight }) => isRight).length;
  const silent = rows.filter((row) => row.false.length === 0).length;
  return `${rows.length} programs, ${at.length} found, at run ${median} (at most ${at.at(-1) ?? '–'}), ${right} told right, ${silent} twins silent`;
}

for (const kind of kinds.length > 0 ? kinds : Object.keys(EXPECTED)) {
  const rows = await recall(kind, undefined, options);
  for (const { program, at, told, isRight, false: wrong } of rows) {
    console.log(
      `${kind}/${program}: ${at === null ? 'missed' : `run ${at}, ${isRight ? '' : 'not '}right: ${told}`}`,
    );
    for (const each of wrong) console.log(`  FALSE: ${each}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
  console.log(`${kind}: ${summary(rows)}`);
}

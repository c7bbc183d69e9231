/**
 * The laboratory of child processes: `node test/lab/children/main.ts [--from N] [--programs N] [--runs N]`. Random programs whose processes
 * share files, each under random orders: what comes of each run must be among what processes can show. Exits with 1 where it is not.
 */
import { parseArgs } from 'node:util';
import { Directories } from '../directories.ts';
import { childrenProgram, outcomesOf } from './program.ts';
import { tried } from './run.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    programs: { type: 'string', default: '200' },
    runs: { type: 'string', default: '10' },
  },
});
const directories = new Directories();
let [programs, runs, possible, seen, unclear, wrong] = [0, 0, 0, 0, 0, 0];
for (let seed = Number(values.from); seed < Number(values.from) + Number(values.programs); seed++) {
  const program = childrenProgram(seed);
  // What comes out alike in every order shows nothing.
  if (outcomesOf(program).size === 1) continue;
  programs += 1;
  const found = await tried(program, Number(values.runs), directories);
  runs += Number(values.runs);
  possible += found.possible;
  seen += found.seen.size;
  unclear += found.unknown;
  wrong += found.wrong.length;
  for (const { order, outcome } of found.wrong)
    console.log(`program ${seed}: ${JSON.stringify(program)}\n  ${outcome}\n  ${order.join('\n  ')}`);
}
directories.remove();
console.log(
  `${programs} programs, ${runs} runs: ${seen} of ${possible} outcomes, ${unclear} runs unknown, ${wrong} that no processes show`,
);
process.exit(wrong === 0 ? 0 : 1);

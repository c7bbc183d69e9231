/** The peer: the same orders by fast-check's scheduler. Without shrinking, which nothing here needs. */
import fc from 'fast-check';
import { serveRounds } from '../lib/contest.ts';
import { benchFile } from '../lib/ours.ts';

const [program, freshness] = process.argv.slice(2) as [string, string];
const url = new URL(`file://${benchFile(`programs/scheduled-${program}.mjs`)}`).href;
const shared = await import(url);
let imports = 0;

serveRounds((work) =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), async (s) => {
      const { setup, tasks } = freshness === 'modules' ? await import(`${url}?${imports++}`) : shared;
      const state = setup();
      const running = tasks.map((task: any) => task(state, s));
      await s.waitAll();
      await Promise.all(running);
    }),
    { numRuns: work },
  ),
);

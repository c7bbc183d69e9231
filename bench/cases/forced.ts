/** Forced runs per second against fast-check's scheduler, at equal freshness of state. */
import { contest, PRELOADED } from '../lib/contest.ts';
import type { Case, Row } from '../lib/rows.ts';

const run: Case = async (quick) => {
  const rows: Row[] = [];
  for (const freshness of ['state', 'modules']) {
    for (const program of ['2x1', '3x4']) {
      const work = freshness === 'state' ? 3000 : 1000;
      const [forced, scheduled] = (await contest(
        [
          { script: 'contestants/forced.ts', args: [program, freshness], execArgv: PRELOADED },
          { script: 'contestants/scheduled.ts', args: [program, freshness] },
        ],
        { rounds: quick ? 3 : 9, work },
      )) as [number, number];
      rows.push({
        what: `forced runs, ${program.replace('x', ' tasks × ')} awaits, fresh ${freshness}`,
        unit: 'runs/s',
        ours: (1000 * work) / forced,
        peer: { name: 'fast-check', value: (1000 * work) / scheduled },
        goal: { atLeast: 2 },
      });
    }
  }
  return rows;
};

export default run;

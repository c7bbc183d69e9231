/**
 * Forced runs per second against fast-check's scheduler, at equal freshness of state: both begin each run with
 * fresh modules, as our workers do, or both with one instance of the modules and what `setup` returns. The tasks'
 * delays differ, because timers of equal delay leave nothing to choose. The floor of the latter is what Node
 * itself needs to make, fire and await those timers.
 */
import { contest, PRELOADED, WORKER_OPTIONS } from '../lib/contest.ts';
import { PROGRAMS_ONLY } from '../lib/programs.ts';
import type { Case, Row } from '../lib/rows.ts';

const run: Case = async ({ rounds, share }) => {
  const rows: Row[] = [];
  for (const freshness of ['state', 'modules']) {
    for (const program of ['2x1', '3x4']) {
      const work = Math.ceil((freshness === 'state' ? 3000 : 1000) * share);
      const { ms, times } = await contest(
        [
          {
            script: 'contestants/forced.ts',
            args: [program, freshness],
            execArgv: [...WORKER_OPTIONS, ...PRELOADED],
            env: PROGRAMS_ONLY,
          },
          { script: 'contestants/scheduled.ts', args: [program, freshness], execArgv: WORKER_OPTIONS },
          { script: 'contestants/timers.ts', args: [program], execArgv: WORKER_OPTIONS },
        ],
        { rounds, work },
      );
      const [forced, scheduled, timers] = ms as [number, number, number];
      rows.push({
        what: `forced runs, ${program.replace('x', ' tasks × ')} awaits, fresh ${freshness}`,
        unit: 'runs/s',
        ours: (1000 * work) / forced,
        peer: { name: 'fast-check', value: (1000 * work) / scheduled },
        pairs: times(0, 1),
        goal: { atLeast: freshness === 'state' ? 0.5 : 2 },
      });
      if (freshness === 'state')
        rows.push({
          what: `its timers alone, ${program.replace('x', ' tasks × ')} awaits`,
          unit: 'runs/s',
          ours: (1000 * work) / timers,
          peer: { name: 'fast-check', value: (1000 * work) / scheduled },
          pairs: times(2, 1),
          isFloor: true,
          goal: null,
        });
    }
  }
  return rows;
};

export default run;

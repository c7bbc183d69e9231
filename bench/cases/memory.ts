/**
 * Growth of a warm process over 10,000 executions, after as many that warmed it up. The control allocates as much
 * and keeps nothing: what it grows by is V8's own and no leak of anybody.
 */
import { ask, PRELOADED, start, WORKER_OPTIONS } from '../lib/contest.ts';
import { PROGRAMS_ONLY } from '../lib/programs.ts';
import type { Case } from '../lib/rows.ts';

const WORK = 10_000;
const MB = 1024 * 1024;

async function growth(what: 'runs' | 'control'): Promise<[heap: number, rss: number]> {
  const child = start({
    script: 'contestants/growth.ts',
    args: ['3x4', what],
    execArgv: [...WORKER_OPTIONS, ...PRELOADED, '--expose-gc'],
    env: PROGRAMS_ONLY,
  });
  const grown = await ask<[number, number]>(child, WORK);
  child.kill();
  return grown;
}

const run: Case = async () => {
  const runs = await growth('runs');
  const control = await growth('control');
  return (['heap', 'resident'] as const).flatMap((what, i) => {
    const title = `growth over ${WORK.toLocaleString('en')} executions: ${what}`;
    const row = { unit: 'MB', peer: null };
    return [
      { ...row, what: title, ours: runs[i]! / MB, goal: { atMost: 5 } },
      { ...row, what: `${title}, control`, ours: control[i]! / MB, goal: null },
    ];
  });
};

export default run;

/** Growth of a warm process over 10,000 executions. */
import { ask, PRELOADED, start } from '../lib/contest.ts';
import type { Case } from '../lib/rows.ts';

const WORK = 10_000;
const MB = 1024 * 1024;

const run: Case = async () => {
  const child = start({
    script: 'contestants/growth.ts',
    args: ['3x4'],
    execArgv: [...PRELOADED, '--expose-gc'],
  });
  const [heap, rss] = await ask<[number, number]>(child, WORK);
  child.kill();
  const row = (what: string, bytes: number) => ({
    what: `growth over ${WORK.toLocaleString('en')} executions: ${what}`,
    unit: 'MB',
    ours: bytes / MB,
    peer: null,
    goal: { atMost: 5 },
  });
  return [row('heap', heap), row('resident', rss)];
};

export default run;

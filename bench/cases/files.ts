/** What the gate adds to a file operation. */
import { contest } from '../lib/contest.ts';
import { programIn } from '../lib/programs.ts';
import type { Case, Row } from '../lib/rows.ts';

const run: Case = async ({ rounds, share }) => {
  const rows: Row[] = [];
  const work = Math.ceil(20 * share);
  for (const operation of ['stat', 'read', 'write']) {
    const program = `fs-${operation}`;
    const { ms, times } = await contest([programIn(program, 'gated'), programIn(program, 'plain')], {
      rounds,
      work,
    });
    const [gated, plain] = ms as [number, number];
    rows.push({
      what: `gated file operation: ${operation}`,
      unit: 'µs',
      ours: (gated * 1000) / (work * 100),
      peer: { name: 'native', value: (plain * 1000) / (work * 100) },
      pairs: times(1, 0),
      goal: null,
    });
  }
  return rows;
};

export default run;

/** What the gate adds to a file operation. */
import { contest } from '../lib/contest.ts';
import { programIn } from '../lib/programs.ts';
import type { Case, Row } from '../lib/rows.ts';

const run: Case = async (quick) => {
  const rows: Row[] = [];
  const work = 20;
  for (const operation of ['stat', 'read', 'write']) {
    const program = `fs-${operation}`;
    const [gated, plain] = (await contest([programIn(program, 'gated'), programIn(program, 'plain')], {
      rounds: quick ? 3 : 9,
      work,
    })) as [number, number];
    rows.push({
      what: `gated file operation: ${operation}`,
      unit: 'µs',
      ours: (gated * 1000) / (work * 100),
      peer: { name: 'native', value: (plain * 1000) / (work * 100) },
      goal: null,
    });
  }
  return rows;
};

export default run;

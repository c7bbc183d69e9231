/** How much slower a program is while it is monitored: instrumented, recorded, in the gate. */
import { contest } from '../lib/contest.ts';
import { programIn } from '../lib/programs.ts';
import type { Case, Row } from '../lib/rows.ts';

/** `work` such that a plain round takes some tenths of a second: the costs of one recording are part of it. */
const PROGRAMS = [
  { program: 'nbody', what: 'CPU-bound (n-body)', work: 150, atMost: 3 },
  { program: 'dijkstra', what: 'pointer-heavy (shortest paths)', work: 10, atMost: 2 },
  { program: 'strings', what: 'strings', work: 25, atMost: 1.2 },
  { program: 'io', what: 'files', work: 25, atMost: 1.2 },
];

const run: Case = async ({ rounds, share }) => {
  const rows: Row[] = [];
  for (const { program, what, work, atMost } of PROGRAMS) {
    const { ms, times } = await contest([programIn(program, 'recorded'), programIn(program, 'plain')], {
      rounds,
      work: Math.ceil(work * share),
    });
    const [recorded, plain] = ms as [number, number];
    rows.push({
      what: `monitored: ${what}`,
      unit: 'ms',
      ours: recorded,
      peer: { name: 'plain', value: plain },
      pairs: times(1, 0),
      goal: { atMost },
    });
  }
  return rows;
};

export default run;

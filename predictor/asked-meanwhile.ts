/**
 * Children that the program asks for more before they have answered: what comes first, the next question or the answer before it, is the
 * child's affair. It works on what it is asked whenever it likes, and where somebody waits for ever since nobody knows which
 * answer is whose, the child that could still answer looks alive. So silence says nothing of these.
 */
import type { Trace } from '../data/trace.ts';
import type { Causality } from './causality.ts';
import type { Program } from './program.ts';

const READ = 'child_process.read#';

/** What the processes are called that are asked so, as their answers tell it. */
export function askedMeanwhile({ requests }: Trace, look: () => AskedOrder): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { id, behind, name, what } of requests) {
    const before = requests[behind];
    if (!before || !name.includes(READ) || !before.name.includes(READ) || found.has(what)) continue;
    const { order, program } = look();
    const [asked, earlier] = [id, behind].map((each) => program.requests[each]?.issuedBy ?? -1);
    if (asked === undefined || asked < 0 || asked === earlier) continue;
    if (!order.precedes(program.jobs.length + behind, asked)) found.add(what);
  }
  return found;
}

interface AskedOrder {
  readonly program: Program;
  readonly order: Causality;
}

/** Why prediction and enumeration disagree about a pattern, by class. */
import type { Schedule } from '../../data/prediction.ts';
import type { Trace } from '../../data/trace.ts';
import { candidates } from '../../predictor/candidates.ts';
import { causality } from '../../predictor/causality.ts';
import { isPattern } from '../../predictor/explain.ts';
import { Holds } from '../../predictor/holds.ts';
import { buildProgram } from '../../predictor/program.ts';
import { Replay } from '../../predictor/replay/replay.ts';
import { Trunk } from '../../predictor/replay/trunk.ts';
import { Synthesis } from '../../predictor/synthesize.ts';
import { transactions } from '../../predictor/transactions.ts';
import type { Executed } from '../../rescheduler/subjects/execution.ts';

/**
 * A pattern that some order of the real program showed and prediction did not: `ordered`: taken for impossible by
 * its causes; `no triple`: a choice of representatives left it out; `… refused`: abstract replay takes such a step
 * for impossible where the program took it; `microtasks`: replay follows the order, but what happens inside its
 * turns comes in another sequence; `not searched`: replay shows it, the search did not try this order.
 */
export function classifyMissed(trace: Trace, pattern: string, steps: readonly string[]): string {
  const program = buildProgram(trace);
  const { before } = causality(program);
  const tx = transactions(trace.activations);
  const isIt = isPattern(trace, pattern);
  if (!candidates(trace, before, tx).list.some(isIt))
    return candidates(trace, () => false, tx).list.some(isIt) ? 'ordered' : 'no triple';
  const replay = new Replay(program);
  for (const name of steps) {
    const width = replay.look();
    const step = replay.possible.slice(0, width).find((s) => replay.steps.names[s] === name);
    if (step !== undefined) replay.take(step);
    else if (replay.steps.names.includes(name)) return `${kindOf(trace, name)} refused`;
  }
  const shown = candidates(trace, before, tx).list.some((candidate) => {
    const [first, remote, second] = [candidate.first, candidate.remote, candidate.second].map((e) =>
      replay.moment(e),
    );
    return isIt(candidate) && 0 < first! && first! < remote! && remote! < second!;
  });
  return shown ? 'not searched' : 'microtasks';
}

/**
 * A pattern that was predicted and no order shows, by what becomes of its order when it is forced: `… refused`: the
 * gate takes such a step for impossible; `diverged`: a step of it was never asked for; `waits otherwise`: followed,
 * but some job waits for something else than in the recorded run (prediction takes the control flow as recorded);
 * `microtasks`: followed, but what happens inside a turn comes in another sequence.
 */
export async function classifyUnreachable(
  trace: Trace,
  pattern: string,
  /** Its schedule, if it has one of its own. */
  schedule: Schedule | undefined,
  force: (steps: readonly string[]) => Promise<Executed<void>>,
): Promise<string> {
  const program = buildProgram(trace);
  const order = causality(program);
  const tx = transactions(trace.activations);
  const trunk = new Trunk(program, {});
  const list = candidates(trace, order.before, tx).list.filter(isPattern(trace, pattern));
  const synthesis = new Synthesis(trunk, new Holds(program, order), () => []);
  synthesis.search(list);
  const found = list
    .map((candidate) => synthesis.found.get(candidate))
    .find((branch) => branch !== undefined);
  const steps = schedule?.steps ?? (found && trunk.namesOf(found));
  const forced = steps && (await force(steps));
  if (!forced?.trace) return 'no schedule';
  if (forced.result.followed === 'diverged') return 'diverged';
  if (forced.result.followed === 'infeasible')
    return `${kindOf(trace, forced.result.divergence?.wanted ?? '')} refused`;
  const before = waits(trace);
  return [...waits(forced.trace)].every((wait) => before.has(wait)) ? 'microtasks' : 'waits otherwise';
}

/** Who goes on after what. */
function waits(trace: Trace): Set<string> {
  const pathOf = (activation: number): string | undefined => trace.activations[activation]?.path;
  return new Set(
    trace.jobs.map(({ activation, condition }) => {
      const cause = trace.conditions[condition];
      if (cause?.kind === 'delivery') return `${pathOf(activation)} ${trace.requests[cause.request]?.name}`;
      if (cause?.kind !== 'job') return `${pathOf(activation)} ${cause?.kind}`;
      return `${pathOf(activation)} ${pathOf(trace.jobs[cause.job]?.activation ?? -1)}`;
    }),
  );
}

function kindOf(trace: Trace, name: string): string {
  const request = trace.requests.find((r) => r.name === name.slice(2));
  if (name.startsWith('E:')) return 'effect';
  if (name.startsWith('X:')) return 'end of a thread';
  return request?.kind === 'pool' ? 'answer' : (request?.kind ?? 'unknown step');
}

/** The witness: does a confirmed bug fail on plain Node as well, when nothing but some answers is late? */
import type { Assumptions, RunResult } from '../../data/run.ts';
import type { Trace } from '../../data/trace.ts';
import type { Witness } from '../../report/witness.ts';
import { fingerprintOf } from '../../rescheduler/investigate/confirm.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { type Solved, solve } from '../../rescheduler/witness/solve.ts';
import type { Context } from './context.ts';

/**
 * Runs the order of `failing` on plain Node as often as the user wants; null where no witness was asked for. Each
 * run is paired with one in which nothing is late: where that does not pass, a failure would say nothing.
 */
export async function witnessOf(
  context: Context,
  subject: Subject,
  failing: Trace | null,
  confirmed: RunResult,
  assumed: Assumptions,
): Promise<Witness | null> {
  const { witness: of } = context.options;
  if (of === 0) return null;
  if (assumed.io) return without('no delay makes a call late that is only assumed to be I/O');
  if (confirmed.outcome === 'deadlock' && subject.kind === 'node-test')
    return without('the test runner waits for ever for a test that is stuck');
  if (!failing) return without('the failing order could not be recorded');
  const solved = solve(failing);
  const options = context.under(assumed);
  const wanted = fingerprintOf(confirmed);
  let ok = 0;
  for (let i = 0; i < of; i++) {
    if (context.over) return without('the run was ended before');
    const control = await subject.executePlain(null, options);
    if (control.outcome !== 'pass')
      return without(
        fingerprintOf(control) === wanted
          ? 'it fails there by itself, with nothing late'
          : `the test does not pass there with nothing late (${fingerprintOf(control)})`,
      );
    const result = await subject.executePlain(solved.plan, options);
    if (result.outcome !== 'pass' && fingerprintOf(result) === wanted) ok += 1;
  }
  return { ratio: `${ok}/${of}`, why: 2 * ok < of ? obstacle(solved) : null };
}

/** What keeps delays from bringing the order about; null where nothing is known to. */
function obstacle({ unheld, missed }: Solved): string | null {
  if (unheld.length > 0) return `the order needs ${unheld.join(', ')} late, which nothing holds there`;
  return missed > 0 ? 'its timers fire in an order that no late answer explains' : null;
}

const without = (why: string): Witness => ({ ratio: null, why });

/** The witness: does a confirmed bug fail on plain Node as well, when nothing but some answers is late? */
import type { Assumptions, RunResult } from '../../data/run.ts';
import type { Trace } from '../../data/trace.ts';
import type { Witness } from '../../report/witness.ts';
import { fingerprintOf } from '../investigate/confirm.ts';
import type { ExecuteOptions, Subject } from '../subjects/protocol.ts';
import { type Solved, solve } from '../witness/solve.ts';

/** After a run that did not fail everything takes longer by this factor, and no more than so much in all. */
const SLOWER = 2;
const SLOWEST = 4;

export interface PlainRuns {
  /** So many are wanted; 0: none. */
  readonly of: number;
  readonly options: ExecuteOptions;
  isOver(): boolean;
}

/**
 * Runs the order of `failing` on plain Node as often as the user wants; null where no witness was asked for. Each
 * run is paired with one in which nothing is late: where that does not pass, a failure would say nothing. A machine
 * that is busy blurs delays: they grow where a run did not fail, and controls count as failing where more of them fail than
 * pass, and no less than two.
 */
export async function witnessOf(
  subject: Pick<Subject, 'executePlain'>,
  failing: Trace | null,
  confirmed: RunResult,
  assumed: Assumptions,
  { of, options, isOver }: PlainRuns,
): Promise<Witness | null> {
  if (of === 0) return null;
  if (assumed.io) return without('no delay makes a call late that is only assumed to be I/O');
  if (!failing) return without('the failing order could not be recorded');
  let spread = 1;
  let solved = solve(failing, spread);
  const wanted = fingerprintOf(confirmed);
  const stuck = confirmed.outcome === 'deadlock' || confirmed.failure?.kind === 'timeout';
  let ok = 0;
  let red = 0;
  for (let paired = 0; paired < of; ) {
    if (isOver()) return without('the run was ended before');
    const control = await subject.executePlain(null, options);
    if (control.outcome !== 'pass') {
      red += 1;
      if (red <= Math.max(1, paired)) continue;
      return without(
        fingerprintOf(control) === wanted
          ? 'it fails there by itself, with nothing late'
          : `the test does not pass there with nothing late (${fingerprintOf(control)})`,
      );
    }
    paired += 1;
    const result = await subject.executePlain(solved.plan, stuck ? endedSoon(options, control) : options);
    if (stuck ? hangs(result) : result.outcome !== 'pass' && fingerprintOf(result) === wanted) ok += 1;
    else if (spread < SLOWEST) {
      spread *= SLOWER;
      solved = solve(failing, spread);
    }
  }
  return { ratio: `${ok}/${of}`, why: 2 * ok < of ? obstacle(solved) : null };
}

/** A test that is stuck may be kept alive by its runner: it is ended when it has taken that many times its usual time. */
const PATIENCE = 10;
const LEAST_PATIENCE_MS = 2000;

function endedSoon(options: ExecuteOptions, { durationMs }: RunResult): ExecuteOptions {
  const watchdogMs = Math.max(LEAST_PATIENCE_MS, PATIENCE * durationMs);
  return { ...options, limits: { ...options.limits, watchdogMs } };
}

/** It had nothing left to do, or it had to be ended. */
const hangs = ({ outcome, failure }: RunResult): boolean =>
  outcome === 'deadlock' || failure?.kind === 'timeout';

/** What keeps delays from bringing the order about; null where nothing is known to. */
function obstacle({ unheld, missed }: Solved): string | null {
  if (unheld.length > 0) return `the order needs ${unheld.join(', ')} late, which nothing holds there`;
  return missed > 0 ? 'its timers fire in an order that no late answer explains' : null;
}

const without = (why: string): Witness => ({ ratio: null, why });

/** Whether a failing order takes what lies between two ends in this process for a network. */
import type { RunResult, StrategySpec } from '../../data/run.ts';
import { requestOf } from '../../data/schedule-step.ts';
import type { Trace } from '../../data/trace.ts';
import { fingerprintOf } from '../investigate/confirm.ts';
import { forced } from '../investigate/counterfactual.ts';
import type { Finding } from '../investigate/investigate.ts';

/** What comes over a connection, or as a datagram. */
const ON_THE_WAY = /^(?:net\.(?:accept|connect|read|write|shutdown)|dgram\.message)$/;
/** So many orders that failed alike are tried. */
const MOST_ORDERS = 5;

/**
 * Each order is tried as it is, and without saying when something comes over the connection: where that is never late, it comes in
 * between by itself, and the order may be possible all the same.
 *
 * True: of the orders that failed alike none that was tried fails where loopback is strict. False: one does. null: the
 * program does not talk to itself, or there was no time.
 * @param run Runs an order with strict loopback.
 */
export async function needsNetwork(
  { orders, result }: Pick<Finding, 'orders' | 'result'>,
  failing: Trace | null,
  run: (spec: StrategySpec) => Promise<RunResult>,
  isOver: () => boolean,
): Promise<boolean | null> {
  if (!failing?.requests.some(({ api }) => ON_THE_WAY.test(api))) return null;
  const onTheWay = new Set(failing.requests.flatMap(({ api, name }) => (ON_THE_WAY.test(api) ? [name] : [])));
  for (const steps of orders.slice(0, MOST_ORDERS)) {
    for (const asked of [steps, steps.filter((step) => !onTheWay.has(requestOf(step)))]) {
      if (isOver()) return null;
      const other = await run(forced(asked));
      if (other.outcome !== 'pass' && fingerprintOf(other) === fingerprintOf(result)) return false;
    }
  }
  return true;
}

/** Whether a failing order takes what lies between two ends in this process for a network. */
import type { RunResult, StrategySpec } from '../../data/run.ts';
import type { Trace } from '../../data/trace.ts';
import { fingerprintOf } from '../investigate/confirm.ts';
import { forced } from '../investigate/counterfactual.ts';
import type { Finding } from '../investigate/investigate.ts';

/** What comes over a connection, or as a datagram. */
const ON_THE_WAY = /^(?:net\.(?:accept|connect|read|write|shutdown)|dgram\.message)$/;
/** So many orders that failed alike are tried. */
const MOST_ORDERS = 5;

/**
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
  for (const steps of orders.slice(0, MOST_ORDERS)) {
    if (isOver()) return null;
    const other = await run(forced(steps));
    if (other.outcome !== 'pass' && fingerprintOf(other) === fingerprintOf(result)) return false;
  }
  return true;
}

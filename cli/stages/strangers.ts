/** Servers in other processes that nobody has allowed: a test that needs one is not forced. */
import type { RunResult } from '../../data/run.ts';
import { isAllowed } from '../../monitor/host/net/peers.ts';
import type { StageContext } from './context.ts';

/** Servers in other processes that a run talked to, or wanted to, and that nobody has allowed. */
export function strangersOf({ peers = [] }: RunResult, { options }: StageContext): string[] {
  const allowed = new Set(options.allowPeers);
  return peers.filter((peer) => !isAllowed(peer, allowed));
}

export const advice = (peer: string): string =>
  `it talks to ${peer}, which is another process: allow that with --allow-peer ${peer}`;

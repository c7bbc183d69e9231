/** Whether an order could get stuck on locks at all. */
import { EventKind } from '../data/trace.ts';
import type { lockStates } from './locksets.ts';
import type { Program } from './program.ts';

/**
 * Only where a lock is held while another one, or another job's doing, is waited for: whoever waits for nothing
 * but the host gives the lock back in every order.
 */
export function mayGetStuck(program: Program, locksAt: ReturnType<typeof lockStates>): boolean {
  const { trace, jobs, conditions } = program;
  const { events } = trace;
  if (trace.locks.length === 0) return false;
  for (let i = 0; i < events.length; i++)
    if (events.kind[i] === EventKind.Wait && locksAt(i).locks.length > 0) return true;
  return jobs.some(({ condition, events: [first] }) => {
    const kind = conditions[condition]?.kind;
    return kind !== 'delivery' && kind !== 'start' && first !== undefined && locksAt(first).locks.length > 0;
  });
}

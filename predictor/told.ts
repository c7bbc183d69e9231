/** What the error of a failing run tells of its accesses. */
import { EventKind, type Trace } from '../data/trace.ts';

const FRAME = /^\s*at .*:\d+:\d+\)?$/;

/**
 * Whether the error tells of an access: it is in the line that threw, or somewhere else and to what that line looks
 * at. That says more than all else, but for counters that the test itself keeps beside its assertion.
 */
export function told(trace: Trace, stack: string): (event: number) => boolean {
  const thrown = thrownAt(stack);
  const { kind, site, object, length } = trace.events;
  const siteOf = (event: number) => trace.sites[site[event] as number];
  const isAt = (event: number): boolean => thrown.includes(`/${siteOf(event)?.file}:${siteOf(event)?.line}:`);
  const looked = new Set<number>();
  for (let event = 0; event < length; event++)
    if ((kind[event] === EventKind.Read || kind[event] === EventKind.Write) && isAt(event))
      looked.add(object[event] as number);
  return (event) =>
    isAt(event) || (looked.has(object[event] as number) && !thrown.includes(`/${siteOf(event)?.file}:`));
}

/** The frame that threw. */
const thrownAt = (stack: string): string => stack.split('\n').find((line) => FRAME.test(line)) ?? '';

/** Whether a place, `file:line:column`, is in the line that threw. */
export function isThrownAt(at: string, stack: string): boolean {
  return thrownAt(stack).includes(`/${at.slice(0, at.lastIndexOf(':'))}:`);
}

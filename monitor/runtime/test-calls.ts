/**
 * Calls that a test makes, seen where they are written: `this`, private fields and identity stay what they are, which a proxy
 * around the object would change. Whoever listens decides what becomes of each; as long as nobody does, all is as it was.
 */
import { siteInfo } from './points.ts';
import type { SiteInfo } from './types.ts';

/** A call that is about to be made. */
export interface MadeCall {
  readonly site: SiteInfo;
  /** `set`; null: the callee is called by itself. */
  readonly method: string | null;
  /** What it is called on; the function itself, or the name of the module that it was imported from. */
  readonly receiver: unknown;
  readonly callee: Function;
  /** From which module the head of the callee was imported; null: it is a variable of the test. */
  readonly source: string | null;
  readonly args: readonly unknown[];
  /** Makes it, with these arguments. */
  make(args: readonly unknown[]): unknown;
}

/** Returns what the caller gets. */
type HearCall = (call: MadeCall) => unknown;

let listener: HearCall | null = null;

/** From now on this one is told of each call; null: nobody. */
export function onTestCall(hear: HearCall | null): void {
  listener = hear;
}

/** What stands for the callee of a call: `value` itself, or the object whose `method` is called. */
export function callee(site: number, value: unknown, method: string | null, source: string | null): unknown {
  if (listener === null) return value;
  if (method === null) return typeof value === 'function' ? alone(site, value, source) : value;
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
  const found: unknown = Reflect.get(value, method, value);
  // The call fails as it would.
  if (typeof found !== 'function') return value;
  const make = (args: readonly unknown[]): unknown => Reflect.apply(found, value, args);
  const known = { site: siteInfo(site)!, method, receiver: value, callee: found, source, make };
  return {
    [method]: (...args: unknown[]) => (listener === null ? make(args) : listener({ ...known, args })),
  };
}

function alone(site: number, value: Function, source: string | null): Function {
  const make = (args: readonly unknown[]): unknown => Reflect.apply(value, undefined, args);
  const known = {
    site: siteInfo(site)!,
    method: null,
    receiver: source ?? value,
    callee: value,
    source,
    make,
  };
  return (...args: unknown[]) => (listener === null ? make(args) : listener({ ...known, args }));
}

/** Steps that are late until another one has come: what an order comes to, told so that it outlives changes of the program. */

/** A step by what it is: the nth request, from 0, of an API within a part of the program, and what happens to it. */
export interface StepRef {
  /** Path of an activation: what it has asked for, and all that it has called. */
  readonly within: string;
  readonly api: string;
  readonly nth: number;
  /** As {@link spell} begins: `E:`, `X:` or `D:`. */
  readonly op: string;
}

export interface HeldStep {
  readonly step: StepRef;
  readonly until: StepRef;
}

/** Path and API in the stable name of a request. */
export function partsOf(request: string): { readonly path: string; readonly api: string } {
  const [, path = '', api = ''] = /^(.*)\|(.*)#\d+$/s.exec(request) ?? [];
  return { path, api };
}

/** What the root of a run has asked for itself is no part of what it has called. */
export const isWithin = (path: string, within: string): boolean =>
  path === within || path.startsWith(`${within}|`) || (within !== 'root' && path.startsWith(`${within}.`));

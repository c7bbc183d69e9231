import type { Trace } from '../data/trace.ts';

/**
 * The operation that an activation belongs to, as people see it: `transfer`, or `transfer #2` for the second
 * call of that function by the test; `test` for the body of the test itself.
 */
export function taskName(trace: Trace, activation: number): string {
  let at = trace.activations[activation];
  while (at && at.parent >= 0 && trace.activations[at.parent]?.kind !== 'root')
    at = trace.activations[at.parent];
  if (!at || at.kind === 'root') return 'test';
  const { parent } = at;
  const name = at.name || '(anonymous)';
  const twins = trace.activations.filter((a) => a.parent === parent && (a.name || '(anonymous)') === name);
  return twins.length > 1 ? `${name} #${twins.indexOf(at) + 1}` : name;
}

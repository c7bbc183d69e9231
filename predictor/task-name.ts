import type { Trace } from '../data/trace.ts';
import { trunkOf } from './transactions.ts';

const trunks = new WeakMap<Trace, ReadonlySet<number>>();

/** {@link trunkOf} a trace; computed once. */
function trunkIn(trace: Trace): ReadonlySet<number> {
  let trunk = trunks.get(trace);
  if (!trunk) trunks.set(trace, (trunk = trunkOf(trace.activations)));
  return trunk;
}

/** The activation that is the task of another one; undefined where it belongs to the body of the test. */
function taskIn(trace: Trace, activation: number): Trace['activations'][number] | undefined {
  const trunk = trunkIn(trace);
  let at = trace.activations[activation];
  if (!at || trunk.has(at.id)) return undefined;
  while (at.parent >= 0 && !trunk.has(at.parent)) at = trace.activations[at.parent] ?? at;
  return at;
}

/**
 * The operation that an activation belongs to, as people see it: `transfer`, or `transfer #2` for the second
 * call of that function by the test; `test` for the body of the test itself.
 */
export function taskName(trace: Trace, activation: number): string {
  const at = taskIn(trace, activation);
  if (!at) return 'test';
  const { parent } = at;
  const name = at.name || '(anonymous)';
  const twins = trace.activations.filter((a) => a.parent === parent && (a.name || '(anonymous)') === name);
  return twins.length > 1 ? `${name} #${twins.indexOf(at) + 1}` : name;
}

/** The stable path of the task of an activation; of the body of the test, that of the activation. */
export function taskPath(trace: Trace, activation: number): string {
  return (taskIn(trace, activation) ?? trace.activations[activation])?.path ?? '';
}

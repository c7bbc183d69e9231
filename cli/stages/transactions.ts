/** The configuration's word on transactions: `atomic` and `notAtomic`, by `file#function`. */
import { namesFunction } from '../../data/function-pattern.ts';
import type { Activation, Trace } from '../../data/trace.ts';
import type { RunOptions } from '../options.ts';

/** The trace with what the configuration says, where the code itself says nothing. */
export function refineTransactions(
  trace: Trace,
  { atomic, notAtomic }: Pick<RunOptions, 'atomic' | 'notAtomic'>,
): Trace {
  if (atomic.length + notAtomic.length === 0) return trace;
  const word = (activation: Activation): boolean | null => {
    const file = trace.sites[activation.site]?.file;
    const named = (pattern: string) => file !== undefined && namesFunction(pattern, file, activation.name);
    return atomic.some(named) ? true : notAtomic.some(named) ? false : null;
  };
  return {
    ...trace,
    activations: trace.activations.map((a) => (a.atomic === null ? { ...a, atomic: word(a) } : a)),
  };
}

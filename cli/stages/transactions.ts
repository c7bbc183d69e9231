/** The configuration's word on transactions: `atomic` and `notAtomic`, by `file#function`. */
import { matchesGlob } from 'node:path';
import type { Activation, Trace } from '../../data/trace.ts';
import type { RunOptions } from '../options.ts';

/** Whether a function is named by `file-glob`, `file-glob#name` or `#name`; a method also by `Class.name`. */
export function namesFunction(pattern: string, file: string, fn: string): boolean {
  const at = pattern.indexOf('#');
  const [glob, name] = at < 0 ? [pattern, ''] : [pattern.slice(0, at), pattern.slice(at + 1)];
  if (glob !== '' && file !== glob && !matchesGlob(file, glob)) return false;
  return name === '' || name === fn || fn.endsWith(`.${name}`);
}

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

/** The configuration's word on transactions: `atomic` and `notAtomic`, by `file#function`. */
import { namesFunction } from '../../data/function-pattern.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { parseTransaction, spelled } from '../../data/threads/transaction.ts';
import type { Activation, Trace } from '../../data/trace.ts';
import type { RunOptions } from '../options.ts';

type TransactionOptions = Pick<RunOptions, 'atomic' | 'notAtomic'>;

const isEmpty = ({ atomic, notAtomic }: TransactionOptions): boolean =>
  atomic.length + notAtomic.length === 0;

/** What the configuration says of a function; null: nothing. */
function wordOn({ atomic, notAtomic }: TransactionOptions, file: string, fn: string): boolean | null {
  const named = (pattern: string): boolean => namesFunction(pattern, file, fn);
  return atomic.some(named) ? true : notAtomic.some(named) ? false : null;
}

/** The trace with what the configuration says, where the code itself says nothing. */
export function refineTransactions(trace: Trace, words: TransactionOptions): Trace {
  if (isEmpty(words)) return trace;
  const word = ({ name, site }: Activation): boolean | null => {
    const file = trace.sites[site]?.file;
    return file === undefined ? null : wordOn(words, file, name);
  };
  return {
    ...trace,
    activations: trace.activations.map((a) => (a.atomic === null ? { ...a, atomic: word(a) } : a)),
  };
}

/** The same for a trace of threads. Of the loops of a function only that they are none is said with it. */
export function refineThreadTransactions(trace: ThreadTrace, words: TransactionOptions): ThreadTrace {
  if (isEmpty(words)) return trace;
  const transactions = trace.names.transactions.map((name) => {
    const { atomic, ...rest } = parseTransaction(name);
    if (atomic !== null) return name;
    const word = wordOn(words, rest.file, rest.fn);
    return spelled({ ...rest, atomic: rest.loop !== null && word ? null : word });
  });
  return { ...trace, names: { ...trace.names, transactions } };
}

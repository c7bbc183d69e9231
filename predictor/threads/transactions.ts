/**
 * Which transaction two accesses of a thread belong to: the innermost call of a function, or pass of a loop, around
 * both; beyond all of them the thread itself. Of one that the user calls none, the nearest around it that the user
 * calls atomic, if there is one: the rule of programs with event loops (predictor/transactions.ts).
 *
 * Prediction pairs accesses within a whole thread, so that nothing is missed; here is what a pair is called.
 */
import { isAccess, Op, type ThreadTrace } from '../../data/threads/trace.ts';
import { parseTransaction, type Transaction } from '../../data/threads/transaction.ts';

/** No transaction. */
const NONE = -1;

export class ThreadTransactions {
  /** Of each event: the innermost open one. */
  private readonly at: Int32Array;
  /** Of each transaction: the one around it, how deep it is, its name (-1: none), the accesses in it. */
  private readonly parent: number[] = [];
  private readonly depth: number[] = [];
  private readonly name: number[] = [];
  private readonly accesses: number[] = [];
  private readonly thread: number[] = [];
  private readonly total: number[];
  private readonly known: readonly Transaction[];

  /** One pass over the trace; 4 bytes for each event. */
  constructor({ events, names }: ThreadTrace) {
    const { length, object, op, thread } = events;
    const current = new Int32Array(names.threads.length).fill(NONE);
    this.at = new Int32Array(length);
    this.known = names.transactions.map(parseTransaction);
    this.total = names.threads.map(() => 0);
    for (let i = 0; i < length; i++) {
      const t = thread[i]!;
      if (op[i] === Op.Begin) current[t] = this.begin(t, current[t]!, object[i]!);
      this.at[i] = current[t]!;
      if (op[i] === Op.End) current[t] = this.parent[current[t]!] ?? NONE;
      else if (isAccess(op[i]!)) {
        this.total[t]! += 1;
        if (current[t] !== NONE) this.accesses[current[t]!]! += 1;
      }
    }
    // Children come after their parents.
    for (let each = this.parent.length - 1; each >= 0; each--)
      if (this.parent[each] !== NONE) this.accesses[this.parent[each]!]! += this.accesses[each]!;
  }

  private begin(thread: number, parent: number, name: number): number {
    this.depth.push(parent === NONE ? 0 : this.depth[parent]! + 1);
    this.name.push(name);
    this.accesses.push(0);
    this.thread.push(thread);
    return this.parent.push(parent) - 1;
  }

  /** Whether two accesses of one thread belong to a transaction at all. */
  holds(first: number, second: number): boolean {
    return this.common(first, second) !== NONE;
  }

  /** What two accesses of a transaction belong to; null: to a thread as a whole, or to nothing. */
  of(first: number, second: number): Transaction | null {
    const found = this.common(first, second);
    return found === NONE ? null : (this.known[this.name[found]!] ?? null);
  }

  /** Whether it is a part of what its thread does. */
  isPart(first: number, second: number): boolean {
    const found = this.common(first, second);
    return found !== NONE && this.accesses[found]! < this.total[this.thread[found]!]!;
  }

  private common(first: number, second: number): number {
    const { depth, parent } = this;
    let [a, b] = [this.at[first]!, this.at[second]!];
    while (a !== b && a !== NONE && b !== NONE) {
      if (depth[a]! >= depth[b]!) a = parent[a]!;
      else b = parent[b]!;
    }
    if (a !== b) return NONE;
    if (this.word(a) === false) while (a !== NONE && this.word(a) !== true) a = parent[a]!;
    return a;
  }

  private word(transaction: number): boolean | null {
    return this.known[this.name[transaction]!]?.atomic ?? null;
  }
}

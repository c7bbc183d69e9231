/** Words that lock (lock-words.ts) as locks of the tasks that change them. */
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import type { CausalLog } from '../loop-holder.ts';
import { type LockWords, lockWords } from './lock-words.ts';
import type { ToldTrace } from './told-trace.ts';

export class WordLocks {
  private readonly entities: readonly string[];
  private readonly told: ToldTrace;
  private readonly words: LockWords;
  /** By entity: its lock, and the task that has it. */
  private readonly held = new Map<number, { readonly lock: number; task: number }>();
  /** Locks that one task has taken and another one given back: they are none. */
  readonly none = new Set<number>();

  constructor(trace: ThreadTrace, causalLogs: readonly (CausalLog | null)[], told: ToldTrace) {
    this.entities = trace.names.entities;
    this.told = told;
    this.words = lockWords(trace, causalLogs);
  }

  get any(): boolean {
    return this.held.size > 0;
  }

  /** An event of a task is about to be told. */
  before(event: number, task: number): void {
    const word = this.words.get(event);
    if (!word?.locks) return;
    const lock = this.held.get(word.entity)?.lock ?? this.told.newLock(this.entities[word.entity]!);
    this.held.set(word.entity, { lock, task });
    this.told.order(task, Op.Acquire, lock);
  }

  /** It has been told. */
  behind(event: number, task: number): void {
    const word = this.words.get(event);
    if (!word || word.locks) return;
    const held = this.held.get(word.entity)!;
    if (held.task !== task) this.none.add(held.lock);
    this.told.order(task, Op.Release, held.lock);
  }
}

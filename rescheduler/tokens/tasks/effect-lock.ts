/** Effects of host requests, each one step with what it touches, as sections of one lock: of no two is one within the other. */
import { effectsOf } from '../../../data/threads/effects.ts';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import type { ToldTrace } from './told-trace.ts';

export class EffectLock {
  private readonly told: ToldTrace;
  private readonly effects: Int32Array;
  /** By step of an effect: the last of what it touches. */
  private readonly last = new Map<number, number>();
  private readonly lock: number;

  constructor(trace: ThreadTrace, told: ToldTrace) {
    this.told = told;
    this.effects = effectsOf(trace);
    for (const [event, effect] of this.effects.entries()) if (effect >= 0) this.last.set(effect, event);
    this.lock = this.any ? told.newLock('the host') : -1;
  }

  get any(): boolean {
    return this.last.size > 0;
  }

  /** An event of a task is about to be told. */
  before(event: number, task: number): void {
    if (this.last.has(event)) this.told.order(task, Op.Acquire, this.lock);
  }

  /** It has been told. */
  behind(event: number, task: number): void {
    if (this.last.get(this.effects[event]!) === event) this.told.order(task, Op.Release, this.lock);
  }
}

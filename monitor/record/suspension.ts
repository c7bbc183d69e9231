/**
 * The suspension graph: for every promise, what settled it, in terms of deliveries and jobs.
 *
 * V8's promise hooks tell who begot a promise and inside which reaction it was settled. From that follows
 * the condition of each job: an async function that resumes after `await p` had to wait for whatever
 * settled `p`; a `then` callback likewise. Only recording needs this; forced runs do without hooks.
 */
import { types } from 'node:util';
import { promiseHooks } from 'node:v8';
import type { Condition } from '../../data/trace.ts';
import {
  combine,
  derive,
  type Members,
  membersOf,
  newEpoch,
  registeredBy,
  settle,
  settledBy,
  takeParent,
} from './promise-marks.ts';

/** Of whichever realm. */
const isPromise = (value: unknown): value is Promise<unknown> => types.isPromise(value);

/** What runs now: a reaction of a promise, or the synchronous part of a turn. */
interface AwaitContext {
  trigger: number;
  /** The job that registered the reaction, which cannot run before that; -1 where none did. */
  readonly registrar: number;
  /** Last job that ran in this context; later consequences follow from it. */
  job: number;
}

const UNKNOWN = 0;
const START = 1;

export class SuspensionGraph {
  readonly conditions: Condition[] = [{ kind: 'unknown' }, { kind: 'start' }];
  private readonly epoch = newEpoch();
  private readonly combined: { readonly condition: number; readonly members: Members }[] = [];
  private readonly jobConditions = new Map<number, number>();
  /** Conditions that two others are met, by those. */
  private readonly both = new Map<string, number>();
  private turn: AwaitContext = { trigger: START, registrar: -1, job: -1 };
  private context: AwaitContext = this.turn;
  /** The job that began last, and the one before it in its context. */
  private begun = { job: -1, before: -1, context: this.turn };
  /** The last job from which something follows. */
  private named = -1;
  private stop: (() => void) | null = null;
  /** True while instrumented code is on the stack; set by the recorder. */
  running: () => number = () => -1;

  start(): void {
    const { epoch } = this;
    this.stop = promiseHooks.createHook({
      init: (promise, parent) => {
        if (parent !== undefined) derive(promise, parent, this.present(), epoch);
      },
      before: (promise) => {
        const parent = takeParent(promise, epoch);
        const cause = parent === null ? -1 : settledBy(parent, epoch);
        const registrar = cause >= 0 ? registeredBy(promise, epoch) : -1;
        this.context = { trigger: cause >= 0 ? cause : this.consequence(this.turn), registrar, job: -1 };
      },
      after: () => {
        this.context = this.turn;
      },
      settled: (promise) => {
        if (settledBy(promise, epoch) < 0) settle(promise, this.settleCondition(promise), epoch);
      },
    }) as unknown as () => void;
  }

  finish(): void {
    this.stop?.();
    this.stop = null;
    for (const { condition, members } of this.combined) {
      const of = members.promises.map((p) => settledBy(p, this.epoch)).filter((c) => c >= 0);
      this.conditions[condition] = of.length > 0 ? { kind: members.kind, of } : { kind: 'unknown' };
    }
  }

  /** A new turn: everything until the next one follows from this delivery. */
  beginTurn(request: number): void {
    this.turn = { trigger: this.add({ kind: 'delivery', request }), registrar: -1, job: -1 };
    this.context = this.turn;
  }

  /** The condition of a job that begins now: it resumes after awaiting `awaited`, or is called back. */
  beginJob(job: number, awaited: unknown): number {
    const cause = isPromise(awaited) ? settledBy(awaited, this.epoch) : -1;
    const condition = cause >= 0 ? cause : this.consequence(this.context);
    this.begun = { job, before: this.context.job, context: this.context };
    this.context.job = job;
    return condition;
  }

  /** The job that began last is over, as if it had not been. False where something follows from it: then it stays. */
  forget(job: number): boolean {
    const { begun } = this;
    if (begun.job !== job || begun.context.job !== job || this.named >= job) return false;
    begun.context.job = begun.before;
    return true;
  }

  /** A job that begins for a reason that the recorder knows by itself. */
  continueAs(job: number): void {
    this.context.job = job;
  }

  /** `result` is `Promise.all|any|…` of `members`. */
  combine(kind: 'all' | 'any', result: unknown, members: readonly unknown[]): void {
    if (!isPromise(result)) return;
    combine(result, { kind, promises: members.filter(isPromise) }, this.epoch);
  }

  /** The condition that the next grant of `lock` meets; `promise`, if any, settles with it. */
  lockWait(lock: number, promise: unknown): number {
    const condition = this.add({ kind: 'lock', lock });
    if (isPromise(promise)) settle(promise, condition, this.epoch);
    return condition;
  }

  private settleCondition(promise: Promise<unknown>): number {
    const members = membersOf(promise, this.epoch);
    if (members) {
      const condition = this.add({ kind: 'unknown' });
      this.combined.push({ condition, members });
      return condition;
    }
    const job = this.running();
    if (job >= 0) return this.afterJob(job);
    return this.consequence(this.context);
  }

  /** What something that happens in this context follows from. */
  private consequence(context: AwaitContext): number {
    return context.job >= 0 ? this.afterJob(context.job) : this.triggerOf(context);
  }

  /** A reaction follows from what settled its promise and from who registered it; of a lock, from its grant alone. */
  private triggerOf({ trigger, registrar }: AwaitContext): number {
    if (registrar < 0 || this.conditions[trigger]?.kind === 'lock') return trigger;
    const after = this.afterJob(registrar);
    if (after === trigger) return trigger;
    const key = `${trigger} ${after}`;
    let both = this.both.get(key);
    if (both === undefined) this.both.set(key, (both = this.add({ kind: 'all', of: [trigger, after] })));
    return both;
  }

  /** The job that runs now; -1 for none. */
  private present(): number {
    const running = this.running();
    const job = running >= 0 ? running : this.context.job;
    this.named = Math.max(this.named, job);
    return job;
  }

  /** The condition that `job` has run. */
  afterJob(job: number): number {
    let condition = this.jobConditions.get(job);
    if (condition === undefined) {
      condition = this.add({ kind: 'job', job });
      this.jobConditions.set(job, condition);
      this.named = Math.max(this.named, job);
    }
    return condition;
  }

  private add(condition: Condition): number {
    return this.conditions.push(condition) - 1;
  }
}

export { START, UNKNOWN };

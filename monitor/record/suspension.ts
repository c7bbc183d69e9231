/**
 * The suspension graph: for every promise, what settled it, in terms of deliveries and jobs.
 *
 * V8's promise hooks tell who begot a promise and inside which reaction it was settled. From that follows
 * the condition of each job: an async function that resumes after `await p` had to wait for whatever
 * settled `p`; a `then` callback likewise. Only recording needs this; forced runs do without hooks.
 */
import { promiseHooks } from 'node:v8';
import type { Condition } from '../../data/trace.ts';

/** What is known of one promise. */
interface PromiseNode {
  /** The promise it was derived from by `then` or `await`. */
  readonly parent: PromiseNode | null;
  /** Condition that settled it; -1 while pending. */
  settledBy: number;
  /** Promise.all and its kin: the members, resolved to conditions when the trace is finished. */
  members: { readonly kind: 'all' | 'any'; readonly nodes: readonly PromiseNode[] } | null;
}

/** What runs now: a reaction of a promise, or the synchronous part of a turn. */
interface Context {
  trigger: number;
  /** Last job that ran in this context; later consequences follow from it. */
  job: number;
}

const UNKNOWN = 0;
const START = 1;

export class SuspensionGraph {
  readonly conditions: Condition[] = [{ kind: 'unknown' }, { kind: 'start' }];
  private readonly nodes = new WeakMap<Promise<unknown>, PromiseNode>();
  private readonly combined: { readonly condition: number; readonly node: PromiseNode }[] = [];
  private readonly jobConditions = new Map<number, number>();
  private turn: Context = { trigger: START, job: -1 };
  private context: Context = this.turn;
  private stop: (() => void) | null = null;
  /** True while instrumented code is on the stack; set by the recorder. */
  running: () => number = () => -1;

  start(): void {
    this.stop = promiseHooks.createHook({
      init: (promise, parent) => {
        const node: PromiseNode = {
          parent: parent ? (this.nodes.get(parent) ?? null) : null,
          settledBy: -1,
          members: null,
        };
        this.nodes.set(promise, node);
      },
      before: (promise) => {
        const parent = this.nodes.get(promise)?.parent;
        const settledBy = parent ? parent.settledBy : -1;
        this.context = { trigger: settledBy >= 0 ? settledBy : this.consequence(this.turn), job: -1 };
      },
      after: () => {
        this.context = this.turn;
      },
      settled: (promise) => {
        const node = this.nodes.get(promise);
        if (node && node.settledBy < 0) node.settledBy = this.settleCondition(node);
      },
    }) as unknown as () => void;
  }

  finish(): void {
    this.stop?.();
    this.stop = null;
    for (const { condition, node } of this.combined) {
      const members = node.members;
      if (!members) continue;
      const of = members.nodes.map((n) => n.settledBy).filter((c) => c >= 0);
      this.conditions[condition] = of.length > 0 ? { kind: members.kind, of } : { kind: 'unknown' };
    }
  }

  /** A new turn: everything until the next one follows from this delivery. */
  beginTurn(request: number): void {
    this.turn = { trigger: this.add({ kind: 'delivery', request }), job: -1 };
    this.context = this.turn;
  }

  /** The condition of a job that begins now: it resumes after awaiting `awaited`, or is called back. */
  beginJob(job: number, awaited: unknown): number {
    let condition = this.consequence(this.context);
    if (awaited instanceof Promise) {
      const node = this.nodes.get(awaited);
      if (node) {
        const settledBy = node.settledBy;
        if (settledBy >= 0) condition = settledBy;
      }
    }
    this.context.job = job;
    return condition;
  }

  /** A job that begins for a reason that the recorder knows by itself. */
  continueAs(job: number): void {
    this.context.job = job;
  }

  /** `result` is `Promise.all|any|…` of `members`. */
  combine(kind: 'all' | 'any', result: unknown, members: readonly unknown[]): void {
    if (!(result instanceof Promise)) return;
    const node = this.nodes.get(result);
    if (!node) return;
    const nodes = members.map((m) => (m instanceof Promise ? this.nodes.get(m) : undefined));
    node.members = { kind, nodes: nodes.filter((n) => n !== undefined) };
  }

  /** The condition that the next grant of `lock` meets; `promise`, if any, settles with it. */
  lockWait(lock: number, promise: unknown): number {
    const condition = this.add({ kind: 'lock', lock });
    const node = promise instanceof Promise ? this.nodes.get(promise) : undefined;
    if (node) node.settledBy = condition;
    return condition;
  }

  private settleCondition(node: PromiseNode): number {
    if (node.members) {
      const condition = this.add({ kind: 'unknown' });
      this.combined.push({ condition, node });
      return condition;
    }
    const job = this.running();
    if (job >= 0) return this.afterJob(job);
    return this.consequence(this.context);
  }

  /** What something that happens in this context follows from. */
  private consequence(context: Context): number {
    return context.job >= 0 ? this.afterJob(context.job) : context.trigger;
  }

  /** The condition that `job` has run. */
  afterJob(job: number): number {
    let condition = this.jobConditions.get(job);
    if (condition === undefined) {
      condition = this.add({ kind: 'job', job });
      this.jobConditions.set(job, condition);
    }
    return condition;
  }

  private add(condition: Condition): number {
    return this.conditions.push(condition) - 1;
  }
}

export { START, UNKNOWN };

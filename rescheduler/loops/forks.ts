/** How a thread of a program starts workers: each has a name that is the same in every execution, and a step. */
import type { WorkerOptions } from 'node:worker_threads';
import { Op } from '../../data/threads/trace.ts';
import type { Numbered, WorkerText } from '../../monitor/threads/load.ts';
import { H } from '../tokens/control.ts';
import { type Enclosed, toParent, toWorker } from './lines.ts';
import type { ThreadContext } from './part.ts';
import type { ThreadSlot } from './thread.ts';

export interface WorkerPlace extends ThreadSlot {
  /** What it is made of; null: a file. */
  readonly text: WorkerText | null;
  /** What comes with its `workerData`. */
  readonly enclosed: Enclosed;
  /** What its program finds in NODE_OPTIONS, where it was given an environment of its own; null: nothing. */
  readonly nodeOptions?: string | null;
}

const { add } = Atomics;

export class Forks {
  private readonly part: ThreadContext;
  private count = 0;

  constructor(part: ThreadContext) {
    this.part = part;
  }

  /** Another execution begins. */
  forget(): void {
    this.count = 0;
  }

  /** The step by which a worker comes to be; `born` says that its thread is there. */
  fork(
    options: WorkerOptions = {},
    text: (Numbered & WorkerText) | null,
    born: (child: number) => void,
  ): WorkerPlace {
    const { execution, holder, lines, notes, self } = this.part;
    holder.step();
    const ordinal = ++this.count;
    const name = self === 0 ? `worker ${ordinal}` : `${this.part.name}.${ordinal}`;
    const settled = execution.plan.names.indexOf(name);
    const child = settled < 0 ? add(execution.control.words, H.Threads, 1) : settled;
    if (child >= execution.most) throw new Error(`unweave: more than ${execution.most} threads`);
    notes.tell({ thread: child, name });
    if (options.eval && !text) notes.tell({ unseen: 'elements in workers made of text' });
    born(child);
    holder.log(Op.Fork, child, 0);
    lines.read(toWorker(child), child);
    lines.read(toParent(child), self);
    const enclosed = lines.enclosed(options.workerData);
    if (text === null) return { execution, self: child, parent: self, name, enclosed, text };
    const { code: _, ...own } = text;
    return { execution, self: child, parent: self, name, enclosed, text: own };
  }
}

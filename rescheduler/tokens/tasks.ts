/** Tells the tasks of threads with event loops (data/threads/tasks.ts) from what their events belong to. */
import { LOOP_POINT, taskName } from '../../data/threads/tasks.ts';
import { Op, type ThreadTrace } from '../../data/threads/trace.ts';
import type { Mark, Tale } from './loop-holder.ts';

/** A transaction that has begun; its end is told when nothing within it is open any more. */
interface Begun {
  over: boolean;
}

interface Task {
  readonly number: number;
  readonly begun: Begun[];
  /** Requests on the way. */
  outstanding: number;
  /** Calls of async functions that are open and were made by none. */
  open: number;
}

interface Call {
  readonly task: Task;
  readonly parent: Call | null;
  readonly begun: Begun;
  open: number;
}

/** What comes from elsewhere begins a task of its own, unless a thread has that many. */
const MOST_FRESH = 64;

/** What the tasks of one thread share. */
interface Loop {
  readonly tale: Tale | null;
  /** The lock and the thread's own task. */
  readonly lock: number;
  readonly first: Task;
  readonly calls: Map<number, Call>;
  readonly requests: Map<number, Task>;
  /** Transactions of functions that are no async ones. */
  readonly sync: { readonly task: Task; readonly begun: Begun }[];
  event: number;
  mark: number;
  /** The task whose turn it is, and the one within it that runs; null: no turn is on. */
  turn: Task;
  running: Task | null;
}

/** `tales`: by thread. The same trace where no thread has more than one task. */
export function withTasks(trace: ThreadTrace, tales: readonly (Tale | null)[]): ThreadTrace {
  return new Teller(trace, tales).told();
}

class Teller {
  private readonly trace: ThreadTrace;
  private readonly threads: string[];
  private readonly locks: string[];
  private readonly channels: string[];
  private readonly loops: Loop[];
  private readonly op: number[] = [];
  private readonly thread: number[] = [];
  private readonly object: number[] = [];
  private readonly point: number[] = [];
  private readonly loopPoint: number;
  /** How many tasks each thread has. */
  private readonly tasks: number[];

  constructor(trace: ThreadTrace, tales: readonly (Tale | null)[]) {
    this.trace = trace;
    const { channels, locks, points, threads } = trace.names;
    this.threads = [...threads];
    this.channels = [...channels];
    this.loopPoint = points.length;
    this.tasks = threads.map(() => 1);
    this.locks = [...locks, ...threads.map((name) => `event loop of ${name}`)];
    this.loops = threads.map((_, thread) => {
      const first: Task = { number: thread, begun: [], outstanding: 0, open: 0 };
      return {
        ...{ tale: tales[thread] ?? null, lock: locks.length + thread, first, event: 0, mark: 0 },
        ...{ calls: new Map(), requests: new Map(), sync: [], turn: first, running: null },
      };
    });
  }

  told(): ThreadTrace {
    const { events, names } = this.trace;
    for (let i = 0; i < events.length; i++) {
      const loop = this.loops[events.thread[i]!]!;
      if (loop.tale) this.event(loop, loop.tale, i);
      else this.put(events.thread[i]!, events.op[i]!, events.object[i]!, events.point[i]!);
    }
    for (const loop of this.loops) this.stop(loop);
    if (this.tasks.every((count) => count === 1)) return this.plain();
    return {
      events: {
        length: this.op.length,
        op: Uint8Array.from(this.op),
        thread: Uint16Array.from(this.thread),
        object: Int32Array.from(this.object),
        point: Int32Array.from(this.point),
      },
      names: {
        ...names,
        ...{ threads: this.threads, locks: this.locks, channels: this.channels },
        points: [...names.points, LOOP_POINT],
      },
    };
  }

  /** One task for each thread: nothing to tell but where transactions end. */
  private plain(): ThreadTrace {
    const { names } = this.trace;
    const kept = [...this.op.keys()].filter(
      (i) => this.point[i] !== this.loopPoint || this.op[i] === Op.Begin || this.op[i] === Op.End,
    );
    return {
      events: {
        length: kept.length,
        op: Uint8Array.from(kept, (i) => this.op[i]!),
        thread: Uint16Array.from(kept, (i) => this.thread[i]!),
        object: Int32Array.from(kept, (i) => this.object[i]!),
        point: Int32Array.from(kept, (i) => Math.min(this.point[i]!, names.points.length - 1)),
      },
      names,
    };
  }

  private put(thread: number, op: number, object: number, point: number): void {
    this.op.push(op);
    this.thread.push(thread);
    this.object.push(object);
    this.point.push(point);
  }

  private event(loop: Loop, tale: Tale, i: number): void {
    const { events } = this.trace;
    const at = loop.event++;
    let told: Mark | null = null;
    for (let mark = tale.marks[loop.mark]; mark && mark.at <= at; mark = tale.marks[++loop.mark])
      told = this.mark(loop, mark, i) ?? told;
    if (told?.kind === 'opened' || told?.kind === 'closed') return;
    const op = events.op[i]!;
    const call = loop.calls.get(tale.by[at]!);
    const task = told?.kind === 'step' ? loop.turn : (call?.task ?? loop.turn);
    if (op === Op.Begin) {
      loop.sync.push({ task, begun: this.begin(task, events.object[i]!, events.point[i]!) });
    } else if (op === Op.End) {
      const ended = loop.sync.pop();
      if (ended) this.end(ended.task, ended.begun);
    } else {
      this.run(loop, task);
      this.put(task.number, op, events.object[i]!, events.point[i]!);
    }
  }

  /** The mark itself where it is one of the event. */
  private mark(loop: Loop, mark: Mark, i: number): Mark | null {
    const { events } = this.trace;
    switch (mark.kind) {
      case 'opened': {
        const parent = loop.calls.get(mark.parent) ?? null;
        const from = parent?.task ?? loop.turn;
        const isBusy = (parent ?? from).open > 0;
        const task = isBusy ? this.task(loop, from) : from;
        (parent ?? from).open += 1;
        const begun = this.begin(task, events.object[i]!, events.point[i]!);
        loop.calls.set(mark.id, { task, parent, begun, open: 0 });
        return mark;
      }
      case 'closed': {
        const call = loop.calls.get(mark.id);
        if (!call) return mark;
        this.end(call.task, call.begun);
        (call.parent ?? call.task).open -= 1;
        return mark;
      }
      case 'issued': {
        const from = loop.calls.get(mark.by)?.task ?? loop.turn;
        const isFresh = mark.fresh === true && this.tasks[loop.first.number]! < MOST_FRESH;
        const task = isFresh
          ? this.task(loop, loop.first)
          : from.outstanding > 0
            ? this.task(loop, from)
            : from;
        task.outstanding += 1;
        loop.requests.set(mark.request, task);
        return null;
      }
      case 'withdrawn': {
        const task = loop.requests.get(mark.request);
        if (task) task.outstanding -= 1;
        return null;
      }
      case 'step': {
        this.stop(loop);
        const task = loop.requests.get(mark.request);
        if (task) loop.turn = task;
        if (task && mark.turn) task.outstanding -= 1;
        return mark;
      }
    }
  }

  /** Something begins that goes on beside what its thread does else. */
  private task(loop: Loop, from: Task): Task {
    const number = this.threads.length;
    const ordinal = ++this.tasks[loop.first.number]!;
    this.threads.push(taskName(this.threads[loop.first.number]!, ordinal));
    const task: Task = { number, begun: [], outstanding: 0, open: 0 };
    this.put(from.number, Op.Fork, number, this.loopPoint);
    this.begin(task, -1, this.loopPoint);
    return task;
  }

  /** The next step is one of this task, in the turn that is on. */
  private run(loop: Loop, task: Task): void {
    const { running } = loop;
    if (running === task) return;
    let channel = -1;
    if (running) {
      channel = this.channels.push(`turn ${this.channels.length}`) - 1;
      this.put(running.number, Op.Send, channel, this.loopPoint);
      this.put(running.number, Op.Release, loop.lock, this.loopPoint);
    }
    this.put(task.number, Op.Acquire, loop.lock, this.loopPoint);
    if (running) this.put(task.number, Op.Receive, channel, this.loopPoint);
    loop.running = task;
  }

  /** The turn is over. */
  private stop(loop: Loop): void {
    if (loop.running) this.put(loop.running.number, Op.Release, loop.lock, this.loopPoint);
    loop.running = null;
  }

  private begin(task: Task, object: number, point: number): Begun {
    const begun: Begun = { over: false };
    task.begun.push(begun);
    this.put(task.number, Op.Begin, object, point);
    return begun;
  }

  private end(task: Task, begun: Begun): void {
    begun.over = true;
    while (task.begun.at(-1)?.over) {
      task.begun.pop();
      this.put(task.number, Op.End, -1, this.loopPoint);
    }
  }
}

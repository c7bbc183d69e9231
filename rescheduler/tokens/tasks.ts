/** Tells the tasks of threads with event loops (data/threads/tasks.ts) from what their events belong to. */
import { LOOP_POINT, lineOfMessage, taskName } from '../../data/threads/tasks.ts';
import { LOOP_STEP, Op, type ThreadTrace } from '../../data/threads/trace.ts';
import { isStep } from './follow.ts';
import { type LockWords, lockWords } from './lock-words.ts';
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

/** What others bring begins a task of its own, unless a thread has that many. */
const MOST_FRESH = 64;

/** What others bring again and again. */
interface Source {
  /** How often it has yet to come. */
  left: number;
  /** The task that it comes to next: it can come only behind what forks that. */
  next: Task | null;
}

/** What the tasks of one thread share. */
interface Loop {
  readonly tale: Tale | null;
  /** The lock and the thread's own task. */
  readonly lock: number;
  readonly first: Task;
  /** All tasks but the first. */
  readonly others: Task[];
  readonly calls: Map<number, Call>;
  readonly requests: Map<number, Task>;
  readonly sources: Map<number, Source>;
  /** By source: who has asked for what others bring once. */
  readonly asked: Map<number, Task>;
  /** Channels of places that something follows. */
  readonly places: Map<number, number>;
  /** Requests that others brought about. */
  readonly arrivals: Map<number, Source | null>;
  /** Transactions of functions that are no async ones. */
  readonly sync: { readonly task: Task; readonly begun: Begun }[];
  event: number;
  mark: number;
  /** The task whose turn it is, and the one within it that runs; null: no turn is on. */
  turn: Task;
  running: Task | null;
  /** What the messages of this turn came by; null: they are none. */
  line: string | null;
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
  /** Of each event of the recorded trace: the next of its thread that is a step. */
  private readonly following: Int32Array;
  /** By thread and line, the channel that says that what has come is handed out. */
  private readonly handed = new Map<string, number>();
  /** By message: threads to which it came in a step of its own. */
  private readonly openers: ReadonlyMap<number, readonly number[]>;
  private readonly lockWords: LockWords;
  /** By entity: its lock, and the task that has it. */
  private readonly held = new Map<number, { readonly lock: number; task: Task }>();
  /** Locks that one task has taken and another one given back: they are none. */
  private readonly noLocks = new Set<number>();
  private isOrdered = false;

  constructor(trace: ThreadTrace, tales: readonly (Tale | null)[]) {
    this.trace = trace;
    const { channels, locks, points, threads } = trace.names;
    this.threads = [...threads];
    this.channels = [...channels];
    this.loopPoint = points.length;
    this.tasks = threads.map(() => 1);
    this.locks = [...locks, ...threads.map((name) => `event loop of ${name}`)];
    this.following = followingSteps(trace);
    this.openers = this.openersOf(trace);
    this.lockWords = lockWords(trace, tales);
    this.loops = threads.map((_, thread) => {
      const first: Task = { number: thread, begun: [], outstanding: 0, open: 0 };
      return {
        ...{ tale: tales[thread] ?? null, lock: locks.length + thread, first, event: 0, mark: 0 },
        ...{ others: [], calls: new Map(), requests: new Map(), sync: [], turn: first, running: null },
        ...{
          sources: sourcesOf(tales[thread] ?? null),
          asked: new Map(),
          arrivals: new Map(),
          places: new Map(),
          line: null,
        },
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
    if (this.noLocks.size > 0) this.drop();
    if (!this.isOrdered && this.tasks.every((count) => count === 1)) return this.plain();
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

  private drop(): void {
    const isNone = (i: number): boolean =>
      this.point[i] === this.loopPoint &&
      (this.op[i] === Op.Acquire || this.op[i] === Op.Release) &&
      this.noLocks.has(this.object[i]!);
    const kept = [...this.op.keys()].filter((i) => !isNone(i));
    for (const column of [this.op, this.thread, this.object, this.point])
      column.splice(0, column.length, ...kept.map((i) => column[i]!));
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
    } else if (told?.kind === 'step' && loop.arrivals.has(told.request)) {
      this.arrive(loop, task, i);
      this.goOn(loop, task, loop.arrivals.get(told.request)!);
    } else {
      if (op === Op.Join) this.join(task, events.object[i]!);
      this.run(loop, task);
      if (op === Op.Send) this.send(task, events.object[i]!);
      const word = this.lockWords.get(i);
      if (word?.locks) this.acquire(task, word.entity);
      this.put(task.number, op, events.object[i]!, events.point[i]!);
      if (word && !word.locks) this.release(task, word.entity);
    }
    if (loop.line !== null && !this.goesOn(i)) this.handedOut(loop, loop.line);
  }

  private acquire(task: Task, entity: number): void {
    const known = this.held.get(entity);
    const lock = known?.lock ?? this.locks.push(this.trace.names.entities[entity]!) - 1;
    this.held.set(entity, { lock, task });
    this.put(task.number, Op.Acquire, lock, this.loopPoint);
    this.isOrdered = true;
  }

  private release(task: Task, entity: number): void {
    const held = this.held.get(entity)!;
    if (held.task !== task) this.noLocks.add(held.lock);
    this.put(task.number, Op.Release, held.lock, this.loopPoint);
  }

  /** What comes was sent before, and who ends has ended: the step in which it comes is behind that, not only its reception. */
  private arrive(loop: Loop, task: Task, i: number): void {
    const { object, op, point } = this.trace.events;
    const next = this.following[i]!;
    const channel = next >= 0 && op[next] === Op.Receive ? object[next]! : -1;
    if (channel >= 0) this.put(task.number, Op.Receive, channel, this.loopPoint);
    if (next >= 0 && op[next] === Op.Join) this.join(task, object[next]!);
    this.isOrdered = true;
    this.run(loop, task);
    loop.line = channel < 0 ? null : this.lineOf(channel);
    this.put(task.number, op[i]!, object[i]!, point[i]!);
  }

  /** What has come by a line is handed out together: what came in a step of its own was sent after the one before. */
  private send(task: Task, message: number): void {
    for (const thread of this.openers.get(message) ?? []) {
      const channel = this.handed.get(`${thread} ${this.lineOf(message)}`);
      if (channel !== undefined) this.put(task.number, Op.Receive, channel, this.loopPoint);
    }
  }

  private handedOut(loop: Loop, line: string): void {
    const channel = this.channels.push(`handed out ${this.channels.length}`) - 1;
    this.handed.set(`${loop.first.number} ${line}`, channel);
    this.put((loop.running ?? loop.turn).number, Op.Send, channel, this.loopPoint);
    loop.line = null;
  }

  /** Whether the turn of an event goes on behind it. */
  private goesOn(i: number): boolean {
    const next = this.following[i]!;
    return next >= 0 && !this.isOfLoop(next);
  }

  private isOfLoop(i: number): boolean {
    const { events, names } = this.trace;
    return events.op[i] === Op.Send && names.channels[events.object[i]!]!.startsWith(LOOP_STEP);
  }

  private openersOf({ events }: ThreadTrace): Map<number, number[]> {
    const found = new Map<number, number[]>();
    for (let i = 0; i < events.length; i++) {
      const next = this.following[i]!;
      if (next < 0 || events.op[next] !== Op.Receive || !this.isOfLoop(i)) continue;
      const message = events.object[next]!;
      found.set(message, [...(found.get(message) ?? []), events.thread[i]!]);
    }
    return found;
  }

  private lineOf(channel: number): string | null {
    return lineOfMessage(this.trace.names.channels[channel]!);
  }

  /** What one brings comes in its order, and each of it to a task of its own. */
  private goOn(loop: Loop, task: Task, source: Source | null): void {
    if (!source) return;
    source.left -= 1;
    if (source.left > 0) source.next = this.fresh(loop, task);
  }

  private fresh(loop: Loop, from: Task): Task {
    return this.tasks[loop.first.number]! < MOST_FRESH ? this.task(loop, from) : from;
  }

  /** A thread has ended, with all of its tasks. */
  private join(task: Task, child: number): void {
    const { first, others } = this.loops[child]!;
    this.stop(this.loops[child]!);
    for (const { number } of [...others, first]) this.put(task.number, Op.Join, number, this.loopPoint);
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
        const task = this.issued(loop, mark);
        task.outstanding += 1;
        loop.requests.set(mark.request, task);
        return null;
      }
      case 'listens': {
        const source = loop.sources.get(mark.source);
        if (source) source.next = this.fresh(loop, loop.calls.get(mark.by)?.task ?? loop.turn);
        return null;
      }
      case 'changed':
        return null;
      case 'leads': {
        const channel = this.channels.push(`place ${this.channels.length}`) - 1;
        loop.places.set(mark.place, channel);
        this.put((loop.calls.get(mark.by)?.task ?? loop.turn).number, Op.Send, channel, this.loopPoint);
        return null;
      }
      case 'follows': {
        const task = loop.calls.get(mark.by)?.task ?? loop.turn;
        for (const place of mark.places)
          this.put(task.number, Op.Receive, loop.places.get(place)!, this.loopPoint);
        return null;
      }
      case 'asked': {
        loop.asked.set(mark.source, loop.calls.get(mark.by)?.task ?? loop.turn);
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

  /** Whose step a request will be. */
  private issued(loop: Loop, { by, request, source }: Extract<Mark, { kind: 'issued' }>): Task {
    const from = loop.calls.get(by)?.task ?? loop.turn;
    if (source === null) return from.outstanding > 0 ? this.task(loop, from) : from;
    const asker = loop.asked.get(source);
    const bringing = asker ? null : loop.sources.get(source)!;
    loop.arrivals.set(request, bringing);
    return asker ?? bringing?.next ?? this.fresh(loop, loop.first);
  }

  /** Something begins that goes on beside what its thread does else. */
  private task(loop: Loop, from: Task): Task {
    const number = this.threads.length;
    const ordinal = ++this.tasks[loop.first.number]!;
    this.threads.push(taskName(this.threads[loop.first.number]!, ordinal));
    const task: Task = { number, begun: [], outstanding: 0, open: 0 };
    loop.others.push(task);
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

/** How often what others bring comes, by its number. */
function sourcesOf(tale: Tale | null): Map<number, Source> {
  const found = new Map<number, Source>();
  for (const mark of tale?.marks ?? []) {
    if (mark.kind !== 'issued' || mark.source === null) continue;
    const source = found.get(mark.source);
    if (source) source.left += 1;
    else found.set(mark.source, { left: 1, next: null });
  }
  return found;
}

function followingSteps({ events, names }: ThreadTrace): Int32Array {
  const following = new Int32Array(events.length);
  const last = new Int32Array(names.threads.length).fill(-1);
  for (let i = events.length - 1; i >= 0; i--) {
    const thread = events.thread[i]!;
    following[i] = last[thread]!;
    if (isStep(events.op[i]!)) last[thread] = i;
  }
  return following;
}

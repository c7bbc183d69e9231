/** Tells the tasks of threads with event loops (data/threads/tasks.ts) from what their events belong to. */
import { taskName } from '../../../data/threads/tasks.ts';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import type { CausalLog, Mark } from '../loop-holder.ts';
import { EffectLock } from './effect-lock.ts';
import { HandOuts } from './hand-outs.ts';
import { ToldTrace } from './told-trace.ts';
import { WordLocks } from './word-locks.ts';

/** A transaction that has begun; its end is told when nothing within it is open any more. */
interface Begun {
  over: boolean;
}

interface LoopTask {
  readonly number: number;
  readonly begun: Begun[];
  /** Requests on the way. */
  outstanding: number;
  /** Calls of async functions that are open and were made by none. */
  open: number;
}

interface TaskCall {
  readonly task: LoopTask;
  readonly parent: TaskCall | null;
  readonly begun: Begun;
  open: number;
}

/** What others bring begins a task of its own, unless a thread has that many. */
const MOST_FRESH = 64;

/** What others bring again and again. */
interface AwaitedSource {
  /** How often it has yet to come. */
  left: number;
  /** The task that it comes to next: it can come only behind what forks that. */
  next: LoopTask | null;
}

/** What the tasks of one thread share. */
interface LoopThread {
  readonly causalLog: CausalLog | null;
  /** The lock and the thread's own task. */
  readonly lock: number;
  readonly first: LoopTask;
  /** All tasks but the first. */
  readonly others: LoopTask[];
  readonly calls: Map<number, TaskCall>;
  readonly requests: Map<number, LoopTask>;
  /** Of requests that a call made in the turn of another task: the channel by which they follow that. */
  readonly turns: Map<number, number>;
  readonly sources: Map<number, AwaitedSource>;
  /** By source: who has asked for what others bring once. */
  readonly asked: Map<number, LoopTask>;
  /** Channels of places that something follows. */
  readonly places: Map<number, number>;
  /** Requests that others brought about. */
  readonly arrivals: Map<number, AwaitedSource | null>;
  /** Transactions of functions that are no async ones. */
  readonly sync: { readonly task: LoopTask; readonly begun: Begun }[];
  event: number;
  mark: number;
  /** The task whose turn it is, and the one within it that runs; null: no turn is on. */
  turn: LoopTask;
  running: LoopTask | null;
  /** What the messages of this turn came by; null: they are none. */
  line: string | null;
}

/** `causalLogs`: by thread. The same trace where no thread has more than one task. */
export function withTasks(trace: ThreadTrace, causalLogs: readonly (CausalLog | null)[]): ThreadTrace {
  return new TaskSplitter(trace, causalLogs).tell();
}

class TaskSplitter {
  private readonly trace: ThreadTrace;
  private readonly told: ToldTrace;
  private readonly handOuts: HandOuts;
  private readonly wordLocks: WordLocks;
  private readonly effectLock: EffectLock;
  private readonly loops: LoopThread[];
  /** How many tasks each thread has. */
  private readonly tasks: number[];
  /** Something others bring is told. */
  private isArrived = false;

  constructor(trace: ThreadTrace, causalLogs: readonly (CausalLog | null)[]) {
    const { threads } = trace.names;
    this.trace = trace;
    this.told = new ToldTrace(trace);
    this.handOuts = new HandOuts(trace, this.told);
    this.tasks = threads.map(() => 1);
    this.loops = threads.map((name, thread) => {
      const first: LoopTask = { number: thread, begun: [], outstanding: 0, open: 0 };
      const causalLog = causalLogs[thread] ?? null;
      return {
        ...{
          causalLog,
          lock: this.told.newLock(`event loop of ${name}`),
          first,
          event: 0,
          mark: 0,
          line: null,
        },
        ...{
          others: [],
          calls: new Map(),
          requests: new Map(),
          turns: new Map(),
          sync: [],
          turn: first,
          running: null,
        },
        ...{ sources: sourcesOf(causalLog), asked: new Map(), arrivals: new Map(), places: new Map() },
      };
    });
    this.wordLocks = new WordLocks(trace, causalLogs, this.told);
    this.effectLock = new EffectLock(trace, this.told);
  }

  tell(): ThreadTrace {
    const { events } = this.trace;
    for (let i = 0; i < events.length; i++) {
      const loop = this.loops[events.thread[i]!]!;
      this.told.at = i;
      if (loop.causalLog) this.event(loop, loop.causalLog, i);
      else this.told.put(events.thread[i]!, events.op[i]!, events.object[i]!, events.point[i]!);
    }
    for (const loop of this.loops) this.stop(loop);
    const isPlain =
      !this.isArrived &&
      !this.wordLocks.any &&
      !this.effectLock.any &&
      this.tasks.every((count) => count === 1);
    return isPlain ? this.told.plain() : this.told.whole(this.wordLocks.none);
  }

  private event(loop: LoopThread, causalLog: CausalLog, i: number): void {
    const { events } = this.trace;
    const at = loop.event++;
    let own: Mark | null = null;
    for (let mark = causalLog.marks[loop.mark]; mark && mark.at <= at; mark = causalLog.marks[++loop.mark])
      own = this.mark(loop, mark, i) ?? own;
    if (own?.kind === 'opened' || own?.kind === 'closed') return;
    const op = events.op[i]!;
    const call = loop.calls.get(causalLog.by[at]!);
    const task = own?.kind === 'step' ? loop.turn : (call?.task ?? loop.turn);
    if (op === Op.Begin) {
      loop.sync.push({ task, begun: this.begin(task, events.object[i]!, events.point[i]!) });
    } else if (op === Op.End) {
      const ended = loop.sync.pop();
      if (ended) this.end(ended.task, ended.begun);
    } else if (own?.kind === 'step' && loop.arrivals.has(own.request)) {
      this.arrive(loop, task, i);
      this.goOn(loop, task, loop.arrivals.get(own.request)!);
    } else {
      if (op === Op.Join) this.join(task, events.object[i]!);
      this.run(loop, task);
      if (own?.kind === 'step') this.follow(loop, task, own.request);
      if (op === Op.Send) this.handOuts.send(task.number, events.object[i]!);
      this.wordLocks.before(i, task.number);
      this.effectLock.before(i, task.number);
      this.told.put(task.number, op, events.object[i]!, events.point[i]!);
      this.effectLock.behind(i, task.number);
      this.wordLocks.behind(i, task.number);
    }
    if (loop.line === null || this.handOuts.goesOn(i)) return;
    this.handOuts.end(loop.first.number, (loop.running ?? loop.turn).number, loop.line);
    loop.line = null;
  }

  /** A request comes behind the turn in which it was made, though something else went on in that. */
  private follow(loop: LoopThread, task: LoopTask, request: number): void {
    const channel = loop.turns.get(request);
    if (channel === undefined) return;
    loop.turns.delete(request);
    this.told.order(task.number, Op.Receive, channel);
  }

  /** What comes was sent before, and who ends has ended: the step in which it comes is behind that, not only its reception. */
  private arrive(loop: LoopThread, task: LoopTask, i: number): void {
    const { object, op, point } = this.trace.events;
    const next = this.handOuts.next(i);
    const channel = next >= 0 && op[next] === Op.Receive ? object[next]! : -1;
    if (channel >= 0) this.told.order(task.number, Op.Receive, channel);
    if (next >= 0 && op[next] === Op.Join) this.join(task, object[next]!);
    this.isArrived = true;
    this.run(loop, task);
    loop.line = channel < 0 ? null : this.handOuts.lineOf(channel);
    this.told.put(task.number, op[i]!, object[i]!, point[i]!);
  }

  /** What one brings comes in its order, and each of it to a task of its own. */
  private goOn(loop: LoopThread, task: LoopTask, source: AwaitedSource | null): void {
    if (!source) return;
    source.left -= 1;
    if (source.left > 0) source.next = this.fresh(loop, task);
  }

  private fresh(loop: LoopThread, from: LoopTask): LoopTask {
    return this.tasks[loop.first.number]! < MOST_FRESH ? this.task(loop, from) : from;
  }

  /** A thread has ended, with all of its tasks. */
  private join(task: LoopTask, child: number): void {
    const { first, others } = this.loops[child]!;
    this.stop(this.loops[child]!);
    for (const { number } of [...others, first]) this.told.order(task.number, Op.Join, number);
  }

  /** The mark itself where it is one of the event. */
  private mark(loop: LoopThread, mark: Mark, i: number): Mark | null {
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
        const { running } = loop;
        const task = this.issued(loop, mark);
        if (mark.source === null && running && running !== (loop.calls.get(mark.by)?.task ?? running)) {
          const channel = this.told.newChannel('request');
          loop.turns.set(mark.request, channel);
          this.told.order(running.number, Op.Send, channel);
        }
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
        const channel = this.told.newChannel('place');
        loop.places.set(mark.place, channel);
        this.told.order((loop.calls.get(mark.by)?.task ?? loop.turn).number, Op.Send, channel);
        return null;
      }
      case 'follows': {
        const task = loop.calls.get(mark.by)?.task ?? loop.turn;
        for (const place of mark.places) this.told.order(task.number, Op.Receive, loop.places.get(place)!);
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
  private issued(loop: LoopThread, { by, request, source }: Extract<Mark, { kind: 'issued' }>): LoopTask {
    const from = loop.calls.get(by)?.task ?? loop.turn;
    if (source === null) return from.outstanding > 0 ? this.task(loop, from) : from;
    const asker = loop.asked.get(source);
    const bringing = asker ? null : loop.sources.get(source)!;
    loop.arrivals.set(request, bringing);
    return asker ?? bringing?.next ?? this.fresh(loop, loop.first);
  }

  /** Something begins that goes on beside what its thread does else. */
  private task(loop: LoopThread, from: LoopTask): LoopTask {
    const ordinal = ++this.tasks[loop.first.number]!;
    const number = this.told.newThread(taskName(this.trace.names.threads[loop.first.number]!, ordinal));
    const task: LoopTask = { number, begun: [], outstanding: 0, open: 0 };
    loop.others.push(task);
    this.told.order(from.number, Op.Fork, number);
    this.begin(task, -1, this.told.loopPoint);
    return task;
  }

  /** The next step is one of this task, in the turn that is on. */
  private run(loop: LoopThread, task: LoopTask): void {
    const { running } = loop;
    if (running === task) return;
    let channel = -1;
    if (running) {
      channel = this.told.newChannel('turn');
      this.told.order(running.number, Op.Send, channel);
      this.told.order(running.number, Op.Release, loop.lock);
    }
    this.told.order(task.number, Op.Acquire, loop.lock);
    if (running) this.told.order(task.number, Op.Receive, channel);
    loop.running = task;
  }

  /** The turn is over. */
  private stop(loop: LoopThread): void {
    if (loop.running) this.told.order(loop.running.number, Op.Release, loop.lock);
    loop.running = null;
  }

  private begin(task: LoopTask, object: number, point: number): Begun {
    const begun: Begun = { over: false };
    task.begun.push(begun);
    this.told.put(task.number, Op.Begin, object, point);
    return begun;
  }

  private end(task: LoopTask, begun: Begun): void {
    begun.over = true;
    while (task.begun.at(-1)?.over) {
      task.begun.pop();
      this.told.order(task.number, Op.End, -1);
    }
  }
}

/** How often what others bring comes, by its number. */
function sourcesOf(causalLog: CausalLog | null): Map<number, AwaitedSource> {
  const found = new Map<number, AwaitedSource>();
  for (const mark of causalLog?.marks ?? []) {
    if (mark.kind !== 'issued' || mark.source === null) continue;
    const source = found.get(mark.source);
    if (source) source.left += 1;
    else found.set(mark.source, { left: 1, next: null });
  }
  return found;
}

/**
 * Whether a sequence of events is one that threads could have executed: locks exclude, a release has its
 * acquire, threads run between their fork and their join, a receive follows a send, an end a begin. Takes
 * the events one by one, so that a trace of any length is checked while it streams by.
 */
import { TraceError } from './error.ts';
import { Op, type ThreadNames } from './trace.ts';

/** What a thread has been through. */
interface ThreadState {
  ran: boolean;
  forked: boolean;
  joined: boolean;
  /** Open begins. */
  depth: number;
  /** Barriers that it arrived at and has not left. */
  readonly arrived: Set<number>;
}

/** Who holds a lock, how many times. */
interface OwnedLock {
  owner: number;
  depth: number;
  readonly readers: Map<number, number>;
}

export class Checker {
  private readonly names: ThreadNames;
  private readonly threads: ThreadState[] = [];
  private readonly locks: OwnedLock[] = [];
  private readonly sent = new Set<number>();

  /** `names` may still grow; they are only used in messages. */
  constructor(names: ThreadNames) {
    this.names = names;
  }

  /** Throws a {@link TraceError} for `line` if the event cannot follow what was executed before. */
  step(op: Op, thread: number, object: number, line: number): void {
    const wrong = this.violation(op, thread, object);
    if (wrong !== null) throw new TraceError(`${this.names.threads[thread]} ${wrong}`, line);
  }

  /** Executes the event; says what is wrong with it, null if nothing. */
  private violation(op: Op, thread: number, object: number): string | null {
    const self = this.thread(thread);
    if (self.joined) return 'runs after it was joined';
    self.ran = true;
    switch (op) {
      case Op.Read:
      case Op.Write:
        return null;
      case Op.Acquire:
      case Op.AcquireShared:
        return this.acquire(thread, object, op === Op.AcquireShared);
      case Op.Release:
      case Op.ReleaseShared:
        return this.release(thread, object, op === Op.ReleaseShared);
      case Op.Fork:
        return this.fork(thread, object);
      case Op.Join:
        return this.join(thread, object);
      case Op.Begin:
        self.depth++;
        return null;
      case Op.End:
        return self.depth-- > 0 ? null : 'ends a transaction that it did not begin';
      case Op.Send:
        this.sent.add(object);
        return null;
      case Op.Receive:
        return this.sent.has(object)
          ? null
          : `receives from ${this.names.channels[object]}, to which nobody sent`;
      case Op.Arrive:
        self.arrived.add(object);
        return null;
      case Op.Leave:
        return self.arrived.delete(object)
          ? null
          : `leaves ${this.names.channels[object]}, at which it did not arrive`;
    }
  }

  private acquire(thread: number, object: number, shared: boolean): string | null {
    const lock = this.lock(object);
    const holder =
      lock.depth > 0 && lock.owner !== thread ? lock.owner : shared ? -1 : otherReader(lock, thread);
    if (holder >= 0) return `acquires ${this.names.locks[object]}, which ${this.names.threads[holder]} holds`;
    if (shared) lock.readers.set(thread, (lock.readers.get(thread) ?? 0) + 1);
    else {
      lock.owner = thread;
      lock.depth++;
    }
    return null;
  }

  private release(thread: number, object: number, shared: boolean): string | null {
    const lock = this.lock(object);
    const depth = shared ? (lock.readers.get(thread) ?? 0) : lock.owner === thread ? lock.depth : 0;
    if (depth === 0)
      return `releases ${this.names.locks[object]}, which it does not hold${shared ? ' for reading' : ''}`;
    if (!shared) lock.depth--;
    else if (depth > 1) lock.readers.set(thread, depth - 1);
    else lock.readers.delete(thread);
    return null;
  }

  private fork(thread: number, object: number): string | null {
    const child = this.thread(object);
    const name = this.names.threads[object];
    if (object === thread) return 'forks itself';
    if (child.forked) return `forks ${name}, which was forked before`;
    if (child.ran) return `forks ${name}, which ran before`;
    child.forked = true;
    return null;
  }

  private join(thread: number, object: number): string | null {
    const child = this.thread(object);
    if (object === thread) return 'joins itself';
    if (!child.forked) return `joins ${this.names.threads[object]}, which nobody forked`;
    child.joined = true;
    return null;
  }

  private thread(id: number): ThreadState {
    return (this.threads[id] ??= { ran: false, forked: false, joined: false, depth: 0, arrived: new Set() });
  }

  private lock(id: number): OwnedLock {
    return (this.locks[id] ??= { owner: -1, depth: 0, readers: new Map() });
  }
}

function otherReader(lock: OwnedLock, thread: number): number {
  for (const reader of lock.readers.keys()) if (reader !== thread) return reader;
  return -1;
}

/**
 * What can be reached, by brute force and from the definition: the graph of all states of a small trace,
 * where a state says how many of its events each thread has done. Shares nothing with the predictor.
 */
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';

const WORDS: ReadonlySet<string> = new Set(['RWR', 'WRW', 'RWW', 'WWR', 'WWW']);

/** Rules of execution: which event may come next. */
export class Machine {
  readonly trace: ThreadTrace;
  readonly threads: number;
  /** Events of each thread. */
  readonly program: number[][];
  /** Index of each event in its thread. */
  readonly place: number[] = [];
  private readonly forkOf = new Map<number, number>();
  /** For each receive and leave: the events that it needs. */
  private readonly needs = new Map<number, number[]>();
  /** For each thread and position: what is held, `lock` alone or `~lock` for reading. */
  private readonly held: string[][][] = [];

  constructor(trace: ThreadTrace) {
    this.trace = trace;
    this.threads = trace.names.threads.length;
    this.program = trace.names.threads.map(() => []);
    const { events } = trace;
    const sends = new Map<number, number>();
    const arrivals = new Map<number, number[]>();
    for (let i = 0; i < events.length; i++) {
      const object = events.object[i]!;
      this.place.push(this.program[events.thread[i]!]!.push(i) - 1);
      if (events.op[i] === Op.Fork) this.forkOf.set(object, i);
      if (events.op[i] === Op.Send) sends.set(object, i);
      if (events.op[i] === Op.Receive) this.needs.set(i, [sends.get(object)!]);
      if (events.op[i] === Op.Arrive) arrivals.set(object, [...(arrivals.get(object) ?? []), i]);
      if (events.op[i] === Op.Leave) this.needs.set(i, arrivals.get(object)!);
    }
    for (const program of this.program) {
      const bag: string[] = [];
      const states = [[...bag]];
      for (const i of program) {
        const lock = `${events.object[i]}`;
        if (events.op[i] === Op.Acquire) bag.push(lock);
        if (events.op[i] === Op.AcquireShared) bag.push(`~${lock}`);
        if (events.op[i] === Op.Release) bag.splice(bag.indexOf(lock), 1);
        if (events.op[i] === Op.ReleaseShared) bag.splice(bag.indexOf(`~${lock}`), 1);
        states.push([...bag]);
      }
      this.held.push(states);
    }
  }

  /** The next event of a thread if it may run in this state, else -1. */
  enabled(state: readonly number[], t: number): number {
    const event = this.program[t]![state[t]!];
    if (event === undefined) return -1;
    const { events } = this.trace;
    const done = (i: number): boolean => state[events.thread[i]!]! > this.place[i]!;
    const fork = this.forkOf.get(t);
    if (fork !== undefined && !done(fork)) return -1;
    const object = events.object[event]!;
    const heldElsewhere = (name: string): boolean =>
      this.held.some((states, u) => u !== t && states[state[u]!]!.includes(name));
    switch (events.op[event]) {
      case Op.Acquire:
        return heldElsewhere(`${object}`) || heldElsewhere(`~${object}`) ? -1 : event;
      case Op.AcquireShared:
        return heldElsewhere(`${object}`) ? -1 : event;
      case Op.Join:
        return done(this.forkOf.get(object)!) && state[object] === this.program[object]!.length ? event : -1;
      case Op.Receive:
      case Op.Leave:
        return this.needs.get(event)!.every(done) ? event : -1;
      default:
        return event;
    }
  }
}

export interface Truth {
  readonly pattern: string;
  readonly first: number;
  readonly remote: number;
  readonly second: number;
  readonly completes: boolean;
}

/** Candidate triples, from the definition: one outermost begin/end, one entity, one other thread. */
export function* triples({ events }: ThreadTrace) {
  const block: string[] = [];
  const depth: number[] = [];
  const count: number[] = [];
  for (let i = 0; i < events.length; i++) {
    const t = events.thread[i]!;
    depth[t] ??= 0;
    count[t] ??= 0;
    if (events.op[i] === Op.Begin && depth[t]++ === 0) count[t]++;
    block.push(depth[t]! > 0 ? `${t}.${count[t]}` : '');
    if (events.op[i] === Op.End) depth[t]!--;
  }
  const access = (i: number): string =>
    events.op[i]! > Op.Write ? '' : events.op[i] === Op.Write ? 'W' : 'R';
  for (let first = 0; first < events.length; first++)
    for (let second = first + 1; second < events.length; second++) {
      if (block[first] === '' || block[first] !== block[second]) continue;
      if (events.object[first] !== events.object[second] || !access(first) || !access(second)) continue;
      for (let remote = 0; remote < events.length; remote++) {
        if (events.thread[remote] === events.thread[first]) continue;
        if (events.object[remote] !== events.object[first] || !access(remote)) continue;
        const pattern = access(first) + access(remote) + access(second);
        if (WORDS.has(pattern)) yield { pattern, first, remote, second };
      }
    }
}

/** Every reachable triple of a trace, over the graph of its states. */
export function truth(trace: ThreadTrace): Truth[] {
  const machine = new Machine(trace);
  const { thread } = trace.events;
  const start = machine.program.map(() => 0);
  const states = new Map<string, number[]>([[start.join(), start]]);
  const next = new Map<string, string[]>();
  // A map is walked in the order of insertion, also of what is inserted meanwhile.
  for (const [name, state] of states) {
    const following: string[] = [];
    for (let t = 0; t < machine.threads; t++) {
      if (machine.enabled(state, t) < 0) continue;
      const after = state.with(t, state[t]! + 1);
      const itsName = after.join();
      following.push(itsName);
      if (!states.has(itsName)) states.set(itsName, after);
    }
    next.set(name, following);
  }
  // States were met in the order of how many events are done in them.
  const fullestFirst = [...states].reverse();
  /** States from which `event` can still be done, or is. */
  const leadTo = new Map<number, Set<string>>();
  const leadingTo = (event: number): Set<string> => {
    let set = leadTo.get(event);
    if (set) return set;
    set = new Set<string>();
    // Successors have more events done: from the fullest state back, one sweep is enough.
    for (const [name, state] of fullestFirst)
      if (state[thread[event]!]! > machine.place[event]! || next.get(name)!.some((n) => set!.has(n)))
        set.add(name);
    leadTo.set(event, set);
    return set;
  };
  const found: Truth[] = [];
  for (const triple of triples(trace)) {
    const { first, remote, second } = triple;
    let isReachable = false;
    let completes = false;
    const [local, other] = [thread[first]!, thread[remote]!];
    for (const state of states.values()) {
      if (state[local]! <= machine.place[first]! || state[local]! > machine.place[second]!) continue;
      if (state[other] !== machine.place[remote] || machine.enabled(state, other) < 0) continue;
      isReachable = true;
      if (leadingTo(second).has(state.with(other, state[other]! + 1).join())) completes = true;
    }
    if (isReachable) found.push({ ...triple, completes });
  }
  return found;
}

/** The same by literally running every interleaving; for very small traces. Null: too many. */
export function truthByEnumeration(trace: ThreadTrace, most = 300_000): Truth[] | null {
  const machine = new Machine(trace);
  const reached = new Set<number>();
  const completed = new Set<number>();
  const all = [...triples(trace)];
  const when = new Map<number, number>();
  const state = machine.program.map(() => 0);
  let steps = 0;
  const run = (): boolean => {
    if (++steps > most) return false;
    for (let t = 0; t < machine.threads; t++) {
      const event = machine.enabled(state, t);
      if (event < 0) continue;
      when.set(event, when.size);
      state[t]!++;
      for (const [at, { first, remote, second }] of all.entries()) {
        if (event === remote && when.has(first) && !when.has(second)) reached.add(at);
        if (event === second && when.has(remote) && when.get(first)! < when.get(remote)!) completed.add(at);
      }
      if (!run()) return false;
      state[t]!--;
      when.delete(event);
    }
    return true;
  };
  if (!run()) return null;
  return all.flatMap((triple, at) => (reached.has(at) ? [{ ...triple, completes: completed.has(at) }] : []));
}

/** What is wrong with a schedule as one that shows the triple; null if nothing is. */
export function wrongWith(trace: ThreadTrace, schedule: ArrayLike<number>, triple: Truth): string | null {
  const machine = new Machine(trace);
  const state = machine.program.map(() => 0);
  const order = Array.from(schedule);
  for (const event of order) {
    const t = trace.events.thread[event]!;
    if (machine.enabled(state, t) !== event) return `event ${event} may not run there`;
    state[t]!++;
  }
  const [first, remote, second] = [triple.first, triple.remote, triple.second].map((e) => order.indexOf(e));
  if (first! < 0 || remote! < first!) return 'first does not precede remote';
  if (triple.completes)
    return remote! < second! && second === order.length - 1 ? null : 'does not end with second';
  return second === -1 && remote === order.length - 1 ? null : 'does not end with remote';
}

/** The lexicographically least valid order of the events of `schedule` that shows the triple as it does. */
export function leastOrder(trace: ThreadTrace, schedule: ArrayLike<number>, triple: Truth): number[] | null {
  const machine = new Machine(trace);
  const wanted = new Set(Array.from(schedule));
  const last = triple.completes ? triple.second : triple.remote;
  const dead = new Set<string>();
  const out: number[] = [];
  const state = machine.program.map(() => 0);
  const run = (): boolean => {
    if (out.length === wanted.size) return true;
    if (dead.has(state.join())) return false;
    const ready = machine.program
      .map((_, t) => machine.enabled(state, t))
      .filter((event) => event >= 0 && wanted.has(event))
      .filter((event) => event !== last || out.length === wanted.size - 1)
      .filter((event) => event !== triple.remote || out.includes(triple.first))
      .sort((a, b) => a - b);
    for (const event of ready) {
      const t = trace.events.thread[event]!;
      state[t]!++;
      out.push(event);
      if (run()) return true;
      out.pop();
      state[t]!--;
    }
    dead.add(state.join());
    return false;
  };
  return run() ? out : null;
}

/** Reachable, and `second` is the next read or the next write after `first`. */
export function nearTruth(trace: ThreadTrace): Truth[] {
  const { op, object, thread } = trace.events;
  return truth(trace).filter(({ first, second }) => {
    for (let between = first + 1; between < second; between++)
      if (
        thread[between] === thread[first] &&
        object[between] === object[first] &&
        op[between] === op[second]
      )
        return false;
    return true;
  });
}

/** Random traces of threads, as STD text: every one is valid, and each class has what its name says. */

export interface TraceClass {
  readonly threads: number;
  readonly events: number;
  readonly locks: number;
  readonly entities: number;
  /** Locks are released in the reverse order of their acquires. */
  readonly nested: boolean;
  readonly reentrant?: boolean;
  /** Some locks are taken for reading. */
  readonly shared?: boolean;
  /** Threads but the first are forked, and joined sometimes. */
  readonly fork?: boolean;
  readonly messages?: boolean;
}

const BASE: TraceClass = { threads: 2, events: 16, locks: 3, entities: 1, nested: true };

/** The classes that prediction is promised to be exact on. */
export const CLASSES: Readonly<Record<string, TraceClass>> = {
  'two threads, nested': BASE,
  'two threads, several entities': { ...BASE, entities: 3, events: 20 },
  're-entrant': { ...BASE, reentrant: true, locks: 2 },
  'not nested': { ...BASE, nested: false, locks: 4, events: 20 },
  'read-write locks': { ...BASE, shared: true, nested: false, locks: 2 },
  'three threads': { ...BASE, threads: 3, events: 18 },
  'four threads, not nested': { ...BASE, threads: 4, events: 20, nested: false },
  'fork and join': { ...BASE, threads: 3, events: 18, fork: true },
  'fork and join, four threads, not nested': { ...BASE, threads: 4, events: 20, fork: true, nested: false },
  'barriers and messages': { ...BASE, threads: 3, events: 20, messages: true },
  everything: {
    ...BASE,
    threads: 4,
    events: 20,
    nested: false,
    reentrant: true,
    shared: true,
    fork: true,
    messages: true,
  },
};

/** `next(n)`: a choice among n, from 0. */
export type Choose = (n: number) => number;

/** Choices from a list; 0 when it is used up, so that a shorter list makes a simpler trace. */
export function choices(list: readonly number[]): Choose {
  let at = 0;
  return (n) => (list[at++] ?? 0) % n;
}

/** One step of a thread: its STD operation. */
type Program = string[];

/** Programs first, then one way of running them: so that locks are contended and what is reachable depends on them. */
export function generate(kind: TraceClass, choose: Choose): string {
  const programs = Array.from({ length: kind.threads }, () =>
    program(kind, choose, Math.ceil(kind.events / kind.threads)),
  );
  if (kind.fork) addFamily(programs, choose);
  if (kind.messages) addMessages(programs, choose);
  return run(programs, choose, kind.fork === true);
}

function program(kind: TraceClass, choose: Choose, length: number): Program {
  const steps: Program = [];
  const held: string[] = [];
  let depth = 0;
  const acquire = (): void => {
    const lock = `${kind.shared && choose(2) ? 'r' : ''}L${choose(kind.locks)}`;
    if (!kind.reentrant && held.some((other) => other.at(-1) === lock.at(-1))) return;
    held.push(lock);
    steps.push(lock.startsWith('r') ? `racq(${lock.slice(1)})` : `acq(${lock})`);
  };
  const release = (): void => {
    if (held.length === 0) return;
    const [lock] = held.splice(kind.nested ? held.length - 1 : choose(held.length), 1) as [string];
    steps.push(lock.startsWith('r') ? `rrel(${lock.slice(1)})` : `rel(${lock})`);
  };
  const bracket = (): void => {
    const end = depth > 0 && choose(3) > 0;
    depth += end ? -1 : 1;
    steps.push(end ? 'end(m)' : 'begin(m)');
  };
  for (let pending = choose(3); pending > 0; pending--) acquire();
  bracket();
  for (let tries = 0; steps.length < length && tries < 4 * length; tries++) {
    const dice = choose(16);
    if (dice < 5) acquire();
    else if (dice < 9) release();
    else if (dice < 10) bracket();
    else steps.push(`${choose(2) ? 'w' : 'r'}(x${choose(kind.entities)})`);
  }
  // Now and then locks stay held, and a transaction open.
  if (choose(4) > 0) while (held.length > 0) release();
  return steps;
}

const insert = (steps: Program, at: number, what: string): number => {
  steps.splice(at, 0, what);
  return at;
};

/** Every thread but the first is forked by an earlier one, and mostly joined by some. */
function addFamily(programs: Program[], choose: Choose): void {
  for (let child = programs.length - 1; child > 0; child--) {
    const parent = programs[choose(child)]!;
    const at = insert(parent, choose(parent.length + 1), `fork(T${child})`);
    if (choose(3) > 0) insert(parent, at + 1 + choose(parent.length - at), `join(T${child})`);
    else if (choose(2)) {
      const other = programs[choose(child)]!;
      insert(other, choose(other.length + 1), `join(T${child})`);
    }
  }
}

function addMessages(programs: Program[], choose: Choose): void {
  for (let channel = choose(3); channel > 0; channel--) {
    const [from, to] = [choose(programs.length), choose(programs.length)];
    insert(programs[from]!, choose(programs[from]!.length + 1), `send(M${channel})`);
    insert(programs[to]!, choose(programs[to]!.length + 1), `recv(M${channel})`);
  }
  if (choose(2) === 0) return;
  for (const steps of programs) {
    if (choose(4) === 0) continue;
    const at = insert(steps, choose(steps.length + 1), 'arrive(B)');
    insert(steps, at + 1 + choose(2), 'leave(B)');
  }
}

/** Runs the programs until all have ended or nobody can go on. */
function run(programs: readonly Program[], choose: Choose, fork: boolean): string {
  const at = programs.map(() => 0);
  const born = programs.map((_, t) => !fork || t === 0);
  const held: string[][] = programs.map(() => []);
  const sent = new Set<string>();
  const arriving = programs.filter((steps) => steps.includes('arrive(B)')).length;
  let arrived = 0;
  const lines: string[] = [];

  const canRun = (t: number): boolean => {
    const step = programs[t]![at[t]!];
    if (step === undefined || !born[t]) return false;
    const [, word, object] = /^(\w+)\((\w+)\)$/.exec(step) as unknown as [string, string, string];
    const elsewhere = (lock: string): boolean => held.some((locks, u) => u !== t && locks.includes(lock));
    if (word === 'acq') return !elsewhere(object) && !elsewhere(`r${object}`);
    if (word === 'racq') return !elsewhere(object);
    if (word === 'join') {
      const child = Number(object.slice(1));
      return child !== t && born[child]! && at[child] === programs[child]!.length;
    }
    if (word === 'recv') return sent.has(object);
    return word !== 'leave' || arrived === arriving;
  };
  const step = (t: number): void => {
    const text = programs[t]![at[t]!++]!;
    const [, word, object] = /^(\w+)\((\w+)\)$/.exec(text) as unknown as [string, string, string];
    const lock = word.startsWith('r') && word !== 'rel' ? `r${object}` : object;
    if (word === 'acq' || word === 'racq') held[t]!.push(lock);
    if (word === 'rel' || word === 'rrel') held[t]!.splice(held[t]!.indexOf(lock), 1);
    if (word === 'fork') born[Number(object.slice(1))] = true;
    if (word === 'send') sent.add(object);
    if (word === 'arrive') arrived += 1;
    lines.push(`T${t}|${text}|${lines.length + 1}`);
  };
  let current = 0;
  for (;;) {
    const ready = programs.flatMap((_, t) => (canRun(t) ? [t] : []));
    if (ready.length === 0) return lines.length > 0 ? `${lines.join('\n')}\n` : 'T0|r(x0)|1\n';
    if (!ready.includes(current) || choose(3) === 0) current = ready[choose(ready.length)]!;
    step(current);
  }
}

/**
 * A trace of just so many events: each step is one that its thread can do at that moment, so it never gets stuck,
 * and messages and barriers are as frequent as locks.
 */
export function walk(kind: TraceClass, length: number, choose: Choose): string {
  const { threads, locks, entities } = kind;
  const held: string[][] = Array.from({ length: threads }, () => []);
  const depth = held.map(() => 0);
  const born = held.map((_, t) => !kind.fork || t === 0);
  const joined = held.map(() => false);
  const sent = new Set<number>();
  const arrived = held.map(() => new Set<number>());
  const lines: string[] = [];
  let [current, stay] = [0, 0];
  const locking = (t: number): string | null => {
    if (held[t]!.length > 0 && choose(2)) {
      const [lock] = held[t]!.splice(kind.nested ? -1 : choose(held[t]!.length), 1) as [string];
      return lock.startsWith('r') ? `rrel(${lock.slice(1)})` : `rel(${lock})`;
    }
    const lock = `L${choose(locks)}`;
    const shared = kind.shared === true && choose(2) === 1;
    const free = held.every((mine, u) =>
      u === t
        ? kind.reentrant || (!mine.includes(lock) && !mine.includes(`r${lock}`))
        : !mine.includes(lock) && (shared || !mine.includes(`r${lock}`)),
    );
    if (!free) return null;
    held[t]!.push(shared ? `r${lock}` : lock);
    return `${shared ? 'racq' : 'acq'}(${lock})`;
  };
  const ordering = (t: number): string | null => {
    const [what, channel] = [choose(5), choose(3)];
    const other = choose(threads);
    if (what === 0 && kind.fork && !born[other]) {
      born[other] = true;
      return `fork(T${other})`;
    }
    if (
      what === 1 &&
      kind.fork &&
      other > 0 &&
      other !== t &&
      born[other] &&
      !joined[other] &&
      choose(9) === 0
    ) {
      joined[other] = true;
      return `join(T${other})`;
    }
    if (!kind.messages) return null;
    if (what === 2 && sent.has(channel)) return `recv(M${channel})`;
    if (what === 3 && arrived[t]!.delete(channel)) return `leave(B${channel})`;
    if (what === 4 && !arrived[t]!.has(channel)) {
      arrived[t]!.add(channel);
      return `arrive(B${channel})`;
    }
    sent.add(channel);
    return `send(M${channel})`;
  };
  const step = (t: number): string | null => {
    const dice = choose(16);
    if (dice < 5) return locking(t);
    if (dice < 7) return ordering(t);
    if (dice > 7) return `${choose(2) ? 'w' : 'r'}(x${choose(entities)})`;
    const end = depth[t]! > 0;
    depth[t]! += end ? -1 : 1;
    return end ? 'end(m)' : 'begin(m)';
  };
  for (let tries = 0; lines.length < length && tries < 20 * length; tries++) {
    if (stay-- <= 0) [current, stay] = [choose(threads), choose(8)];
    if (!born[current] || joined[current]) stay = 0;
    else {
      const text = step(current);
      if (text !== null) lines.push(`T${current}|${text}|${lines.length + 1}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

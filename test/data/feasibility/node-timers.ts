/**
 * Node's own algorithm for timers, written after lib/internal/timers.js and src/env.cc, over a clock that the caller
 * turns: the judge of the model, which knows nothing of moments and constraints.
 */

export interface Item {
  readonly kind: 'timer' | 'interval' | 'immediate' | 'answer';
  readonly delay: number;
  readonly ref: boolean;
}

export interface Action {
  readonly what: 'start' | 'refresh' | 'clear';
  readonly item: number;
  /** In a microtask of the turn. */
  readonly ticking: boolean;
}

export interface Script {
  readonly items: readonly Item[];
  /** What the first turn does. */
  readonly first: readonly Action[];
  /** What the callback of each item does, the first time. */
  readonly then: readonly (readonly Action[])[];
}

/** How the outside behaves: each answer is below `n`. */
export type Choose = (n: number) => number;

/** An interval stops behind so many. */
export const TICKS = 2;

interface Timeout {
  readonly item: number;
  readonly ref: boolean;
  readonly repeats: boolean;
  start: number;
  idle: number;
  destroyed: boolean;
  cleared: boolean;
  list: TimersList | null;
}

interface TimersList {
  readonly msecs: number;
  expiry: number;
  id: number;
  readonly timers: Timeout[];
}

const MOST_ROUNDS = 60;

/** Runs a script. `choose` turns the clock at every look at it and tells which answers come; `hear` stops it with false. */
export function runNode(script: Script, choose: Choose, hear: (item: number) => boolean): void {
  new Node(script, choose, hear).run();
}

class Stopped extends Error {}

class Node {
  private readonly script: Script;
  private readonly choose: Choose;
  private readonly hear: (item: number) => boolean;
  private readonly jumps: number;
  private time = 0;
  private alarm = Number.POSITIVE_INFINITY;
  private nextExpiry = Number.POSITIVE_INFINITY;
  private nextId = 0;
  private readonly map = new Map<number, TimersList>();
  private readonly timeouts: (Timeout | undefined)[] = [];
  private readonly fired: number[];
  private immediates: number[] = [];
  private answers: number[] = [];
  private ticks: (() => void)[] = [];

  constructor(script: Script, choose: Choose, hear: (item: number) => boolean) {
    this.script = script;
    this.choose = choose;
    this.hear = hear;
    this.jumps = Math.max(...script.items.map(({ delay }) => delay)) + 1;
    this.fired = script.items.map(() => 0);
  }

  run(): void {
    try {
      this.act(this.script.first);
      this.runTicks();
      this.rounds();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
  }

  private rounds(): void {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (this.clock() >= this.alarm) this.runTimers();
      this.poll();
      const batch = this.immediates;
      this.immediates = [];
      for (const item of batch) {
        this.tell(item);
        this.runTicks();
      }
      const isOver = this.map.size === 0 && this.immediates.length === 0 && this.answers.length === 0;
      if (isOver) return;
    }
  }

  /** uv_update_time and uv_now. */
  private clock(): number {
    this.time += this.choose(this.jumps);
    return this.time;
  }

  private poll(): void {
    if (this.immediates.length === 0 && this.answers.length === 0 && this.alarm < Number.POSITIVE_INFINITY)
      this.time = Math.max(this.time, this.alarm);
    const waiting = [...this.answers];
    while (waiting.length > 0) {
      // None, or one of those that were asked for before this phase.
      const which = this.choose(waiting.length + 1) - 1;
      if (which < 0) break;
      const [item] = waiting.splice(which, 1) as [number];
      this.answers.splice(this.answers.indexOf(item), 1);
      this.tell(item);
      this.runTicks();
    }
    // The loop slept until its alarm, whatever did not come.
    if (this.answers.length > 0 && this.immediates.length === 0 && this.alarm < Number.POSITIVE_INFINITY)
      if (this.choose(2) === 0) this.time = Math.max(this.time, this.alarm);
  }

  private tell(item: number): void {
    if (!this.hear(item)) throw new Stopped();
    if (this.fired[item]!++ === 0) this.act(this.script.then[item]!);
    if (this.script.items[item]!.kind === 'interval' && this.fired[item] === TICKS)
      this.clear(this.timeouts[item] as Timeout);
  }

  private act(actions: readonly Action[]): void {
    for (const action of actions) {
      const go = () => this.carryOut(action);
      if (action.ticking) this.ticks.push(go);
      else go();
    }
  }

  private carryOut({ what, item }: Action): void {
    const { kind, delay, ref } = this.script.items[item] as Item;
    if (what === 'start') {
      if (kind === 'immediate') this.immediates.push(item);
      else if (kind === 'answer') this.answers.push(item);
      else {
        const repeats = kind === 'interval';
        const timeout: Timeout = {
          ...{ item, ref, repeats, start: 0, idle: delay, destroyed: false, cleared: false, list: null },
        };
        this.timeouts[item] = timeout;
        this.insert(timeout, this.clock());
      }
      return;
    }
    const timeout = this.timeouts[item];
    if (!timeout) return;
    if (what === 'clear') this.clear(timeout);
    else if (timeout.idle >= 0) {
      this.insert(timeout, this.clock());
      timeout.destroyed = false;
    }
  }

  private insert(timeout: Timeout, start: number): void {
    timeout.start = start;
    const msecs = timeout.idle;
    let list = this.map.get(msecs);
    if (!list) {
      const expiry = start + msecs;
      list = { msecs, expiry, id: this.nextId++, timers: [] };
      this.map.set(msecs, list);
      if (this.nextExpiry > expiry) {
        this.alarm = this.time + msecs;
        this.nextExpiry = expiry;
      }
    }
    remove(timeout);
    list.timers.push(timeout);
    timeout.list = list;
  }

  private clear(timeout: Timeout): void {
    if (timeout.destroyed) return;
    timeout.cleared = true;
    timeout.destroyed = true;
    remove(timeout);
    const list = this.map.get(timeout.idle);
    if (timeout.ref && list?.timers.length === 0) this.map.delete(list.msecs);
    timeout.idle = -1;
  }

  private runTimers(): void {
    this.alarm = Number.POSITIVE_INFINITY;
    const expiry = this.processTimers(this.time);
    if (expiry > 0) this.alarm = this.time + Math.max(1, expiry - this.time);
    this.runTicks();
  }

  private processTimers(now: number): number {
    this.nextExpiry = Number.POSITIVE_INFINITY;
    let ran = false;
    for (let list = this.peek(); list; list = this.peek()) {
      if (list.expiry > now) {
        this.nextExpiry = list.expiry;
        return list.expiry;
      }
      if (ran) this.runTicks();
      ran = true;
      this.listOnTimeout(list, now);
    }
    return 0;
  }

  private peek(): TimersList | null {
    let first: TimersList | null = null;
    for (const list of this.map.values())
      if (!first || list.expiry < first.expiry || (list.expiry === first.expiry && list.id < first.id))
        first = list;
    return first;
  }

  private listOnTimeout(list: TimersList, now: number): void {
    let ran = false;
    for (let timer = list.timers[0]; timer; timer = list.timers[0]) {
      if (now - timer.start < list.msecs) {
        list.expiry = Math.max(timer.start + list.msecs, now + 1);
        list.id = this.nextId++;
        return;
      }
      if (ran) this.runTicks();
      ran = true;
      remove(timer);
      if (timer.cleared) continue;
      const start = timer.repeats ? this.clock() : 0;
      this.tell(timer.item);
      if (timer.repeats && timer.idle >= 0) this.insert(timer, start);
      else if (!timer.list) timer.destroyed = true;
    }
    if (this.map.get(list.msecs) === list) this.map.delete(list.msecs);
  }

  private runTicks(): void {
    for (let tick = this.ticks.shift(); tick; tick = this.ticks.shift()) tick();
  }
}

function remove(timeout: Timeout): void {
  const { list } = timeout;
  if (list) list.timers.splice(list.timers.indexOf(timeout), 1);
  timeout.list = null;
}

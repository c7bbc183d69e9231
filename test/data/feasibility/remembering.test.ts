/** A model that remembers what others answered, held against one that works everything out. */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Arrival } from '../../../data/feasibility/exact/arrivals.ts';
import { LoopModel, type Step } from '../../../data/feasibility/exact/loop.ts';
import { Memory } from '../../../data/feasibility/exact/memory.ts';
import { RememberingLoop } from '../../../data/feasibility/exact/remembering.ts';
import { ALL_RULES, type LoopOptions, type Rules } from '../../../data/feasibility/rules.ts';
import { generator } from '../../../data/generator.ts';
import { extent } from '../../extent.ts';

type Both = { readonly exact: LoopModel; readonly quick: RememberingLoop };
type Method = Exclude<keyof RememberingLoop & keyof LoopModel, 'horizon' | 'keptAlive'>;

const DELAYS = [
  [1, 2, 3],
  [1, 1, 2, 5],
  [5, 10, 20, 30],
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  [10, 100, 1000],
];
const text = ({ kind, id, pause, due }: Step): string => `${kind} ${id} ${pause} ${due}`;
const texts = (steps: readonly Step[]): string[] => steps.map(text);

/** What may be drawn; another generator may take over in the middle of a run. */
class Dice {
  draw: () => number;

  constructor(seed: number) {
    this.draw = generator(seed);
  }

  int(below: number): number {
    return Math.floor(this.draw() * below);
  }

  chance(share: number): boolean {
    return this.draw() < share;
  }

  of<T>(list: readonly T[]): T | undefined {
    return list[this.int(list.length)];
  }
}

interface Started {
  readonly delay: number;
  readonly ref: boolean;
  readonly repeats: boolean;
}

/** One run of both models, in which everything is asked for that a program can ask for. */
class Play {
  private readonly dice: Dice;
  private readonly both: Both;
  private readonly delays: readonly number[];
  private readonly wanted: number;
  private readonly timers = new Map<number, Started>();
  private readonly requests: number[] = [];
  private readonly immediates: number[] = [];
  private last = 0;
  private fired: number | null = null;
  private repeating: Started | null = null;

  constructor(dice: Dice, memory: Memory) {
    this.dice = dice;
    const options = this.options();
    this.both = { exact: new LoopModel(options), quick: new RememberingLoop(options, memory) };
    this.delays = dice.of(DELAYS)!;
    // Timers alone, with immediates, with everything.
    this.wanted = dice.of([6, 8, 19])!;
  }

  private options(): Partial<LoopOptions> {
    const { dice } = this;
    const off = (Object.keys(ALL_RULES) as (keyof Rules)[]).filter(() => dice.chance(0.03));
    return {
      rules: { ...ALL_RULES, ...Object.fromEntries(off.map((rule) => [rule, false])) },
      poolSize: 1 + dice.int(4),
      firstTurn: dice.chance(0.5) ? 'before' : 'within',
      loopback: dice.chance(0.8) ? 'network' : 'strict',
      maxStallMs: dice.of([1000, 50])!,
      maxPauseMs: dice.of([250, 20, 3])!,
    };
  }

  /** Tells both models the same; they return the same. */
  private tell(method: Method, ...args: unknown[]): unknown {
    const { exact, quick } = this.both as unknown as Record<
      string,
      Record<string, (...args: any[]) => unknown>
    >;
    const answer = exact![method]!(...args);
    assert.deepEqual(quick![method]!(...args), answer, method);
    return answer;
  }

  private start(how: Started, ticking: boolean, again = false): void {
    this.timers.set(++this.last, how);
    this.tell('startTimer', this.last, how.delay, { ref: how.ref, repeats: how.repeats, ticking, again });
  }

  private turn(): void {
    const { dice, timers, requests, immediates } = this;
    let ticking = false;
    for (let left = dice.int(4); left > 0; left--) {
      ticking ||= dice.chance(0.6);
      const what = dice.int(this.wanted);
      const pending = dice.of([...timers.keys()]);
      if (what < 4) {
        if (this.last > 25) continue;
        const how = { delay: dice.of(this.delays)!, ref: dice.chance(0.9), repeats: dice.chance(0.08) };
        this.start(how, ticking);
      } else if (what === 4 && pending !== undefined && dice.chance(0.5)) {
        const restarts = dice.chance(0.5);
        const how = timers.get(pending)!;
        timers.delete(pending);
        this.tell('cancelTimer', pending, restarts, ticking);
        if (restarts) this.start(how, ticking);
      } else if (what === 5 && dice.chance(0.3)) {
        if (this.fired !== null) this.tell('cancelTimer', this.fired, false, ticking);
        this.repeating = null;
        if (pending !== undefined) this.tell('setRef', pending, dice.chance(0.5));
      } else if (what === 6) {
        immediates.push(++this.last);
        this.tell('startImmediate', this.last);
      } else if (what === 7 && immediates.length > 0 && dice.chance(0.3)) {
        this.tell('cancelImmediate', immediates.pop());
      } else if (what === 8) this.tell('readClock');
      else if (what === 9) this.tell('tell', dice.int(this.both.exact.moment + 1));
      else if (what === 10 && dice.chance(0.2)) this.tell('wait', 1 + dice.int(20));
      else if (what === 11) this.tell('close', ++this.last);
      else if (what === 12) this.tell('place');
      else if (what === 13 && requests.length > 0) {
        this.tell('withdraw', requests.splice(dice.int(requests.length), 1)[0]);
      } else if (what === 14 || what === 15) {
        requests.push(++this.last);
        this.tell('issue', this.last, dice.int(3), dice.chance(0.2));
      } else if (what > 15) this.arrive();
      if (dice.chance(0.03)) this.tell('ticked');
    }
    if (this.repeating) this.start(this.repeating, ticking, true);
    this.repeating = null;
  }

  private arrive(): void {
    const { dice, requests } = this;
    const behind = dice.of(requests);
    requests.push(++this.last);
    const made = dice.int(this.last);
    const after = { moment: dice.int(this.both.exact.moment + 1), ms: 10 };
    const arrivals: readonly Arrival[] = [
      { by: 'handle' },
      { by: 'shutdown' },
      { by: 'resolver', known: null },
      { by: 'message', prompt: true, made },
      { by: 'engine' },
      { by: 'handle', local: true },
      { by: 'shutdown', local: true },
      { by: 'handle', after },
    ];
    if (dice.chance(1 / 9)) this.tell('arrive', this.last, { by: 'handle' }, behind);
    else this.tell('arrive', this.last, dice.of(arrivals));
  }

  /** All that can be asked, and the steps that may come next. */
  private look(): readonly Step[] {
    const { dice, both } = this;
    const { exact, quick } = both;
    if (dice.chance(0.05)) {
      const horizon = dice.chance(0.5) ? Number.POSITIVE_INFINITY : exact.now + dice.int(30);
      for (const model of [exact, quick]) model.horizon = horizon;
      const keptAlive = dice.chance(0.5);
      for (const model of [exact, quick]) model.keptAlive = keptAlive;
    }
    const steps = exact.enabled();
    assert.deepEqual(texts(quick.enabled()), texts(steps));
    for (const fact of ['now', 'moment', 'isRead', 'blockedUntil', 'idle', 'awaitsTimer'] as const)
      if (fact !== 'idle' || dice.chance(0.1)) assert.equal(quick[fact], exact[fact], fact);
    if (dice.chance(0.1))
      for (const ask of ['effects', 'sameTurn', 'lateness', 'longestPause'] as const) this.tell(ask);
    return steps;
  }

  /** Returns what was taken. `turnsAt`: from that step on other dice decide. */
  run(turnsAt: number, other: number): string[] {
    const { dice, timers } = this;
    const taken: string[] = [];
    this.turn();
    this.turn();
    for (let step = 0; step < 60; step++) {
      if (step === turnsAt) dice.draw = generator(other);
      const steps = this.look();
      const prompt = dice.chance(0.7) ? steps.filter(({ pause }) => pause === 0) : [];
      const next = dice.of(prompt.length > 0 ? prompt : steps);
      if (!next) break;
      taken.push(text(next));
      this.tell('take', next);
      this.fired = next.kind === 'timer' ? next.id : null;
      const how = timers.get(next.id);
      timers.delete(next.id);
      this.repeating = how?.repeats ? how : null;
      for (const list of [this.requests, this.immediates])
        if (next.kind !== 'effect' && list.includes(next.id)) list.splice(list.indexOf(next.id), 1);
      if (next.kind !== 'effect' && next.kind !== 'end') this.turn();
    }
    for (const ask of ['lateness', 'longestPause'] as const) this.tell(ask);
    this.both.exact.release();
    this.both.quick.release();
    return taken;
  }
}

const SEEDS = extent(100, 250);

it('what was remembered is what would be worked out, step by step', () => {
  const memory = new Memory();
  let steps = 0;
  for (let seed = 1; seed <= SEEDS; seed++)
    // The same again, and what begins alike and goes on differently, twice.
    for (const turnsAt of [100, 100, 3 + (seed % 9), seed % 5, seed % 5])
      steps += new Play(new Dice(seed), memory).run(turnsAt, 7 * seed + turnsAt).length;
  assert.ok(steps > 40 * SEEDS, `${steps} steps`);
});

it('a run that was seen before needs no model', (t) => {
  const memory = new Memory();
  const play = () => new Play(new Dice(8), memory).run(100, 0);
  const first = play();
  assert.ok(first.length > 5, `${first.length} steps`);
  const { mock } = t.mock.method(LoopModel.prototype, 'enabled');
  assert.deepEqual(play(), first);
  // Those of the model that works everything out.
  assert.equal(mock.callCount(), first.length + 1);
});

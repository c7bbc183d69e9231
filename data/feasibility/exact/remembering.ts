/**
 * A {@link LoopModel} that works out only what no model before it was asked. As long as all that it is told is known
 * (memory.ts) there is no model behind it; once one is needed it is told everything from the beginning.
 */

import { DEFAULT_LOOP, type LoopOptions } from '../rules.ts';
import type { Arrival } from './arrivals.ts';
import { LoopModel, type TimerStart } from './loop.ts';
import {
  bitsOf,
  type Edge,
  type Facts,
  KINDS,
  Memory,
  type MemoryPoint,
  type ModelAnswer,
  type ModelCall,
  tell,
} from './memory.ts';
import type { Step } from './steps.ts';

/** Runs longer than this are not remembered to their end. */
const MOST_CALLS = 4000;

const shared = new Memory();

type ToldFacts = Pick<Facts, 'now' | 'moment' | 'isRead'>;

export class RememberingLoop {
  private readonly options: LoopOptions;
  private readonly memory: Memory;
  private readonly path: Edge[] = [];
  /** Where the run is in the memory; null once it has left what is remembered. */
  private point: MemoryPoint | null;
  private told: ToldFacts;
  /** Null as long as everything was known. */
  private model: LoopModel | null = null;
  /** How much of the path it has been told. */
  private heard = 0;
  private alive = false;
  private farthest = Number.POSITIVE_INFINITY;

  constructor(options: Partial<LoopOptions> = {}, memory: Memory = shared) {
    this.options = { ...DEFAULT_LOOP, ...options };
    this.memory = memory;
    this.point = memory.beginning(this.options, () => this.live());
    this.told = this.point.facts;
  }

  /** See {@link LoopModel.release}. */
  release(): void {
    this.model?.release();
  }

  get horizon(): number {
    return this.farthest;
  }
  set horizon(ms: number) {
    if (ms === this.farthest) return;
    this.farthest = ms;
    this.call('horizon', ms);
  }

  get keptAlive(): boolean {
    return this.alive;
  }
  set keptAlive(is: boolean) {
    if (is === this.alive) return;
    this.alive = is;
    this.call('keptAlive', 0, 0, bitsOf(is));
  }

  // --- what it is asked

  get now(): number {
    return this.told.now;
  }

  get isRead(): boolean {
    return this.told.isRead;
  }

  get moment(): number {
    return this.told.moment;
  }

  get blockedUntil(): number {
    return this.fact('blockedUntil', (model) => model.blockedUntil);
  }

  get idle(): boolean {
    return this.fact('idle', (model) => model.idle);
  }

  get lasts(): boolean {
    return this.fact('lasts', (model) => model.lasts);
  }

  get awaitsTimer(): boolean {
    return this.fact('awaitsTimer', (model) => model.awaitsTimer);
  }

  effects(): readonly Step[] {
    return this.fact('effects', (model) => model.effects());
  }

  sameTurn(): readonly Step[] {
    return this.fact('sameTurn', (model) => model.sameTurn());
  }

  longestPause(): number {
    return this.fact('longestPause', (model) => model.longestPause());
  }

  lateness(): readonly { readonly id: number; readonly ms: number }[] {
    return this.fact('lateness', (model) => model.lateness());
  }

  private fact<Name extends keyof Facts>(
    name: Name,
    ask: (model: LoopModel) => NonNullable<Facts[Name]>,
  ): NonNullable<Facts[Name]> {
    const { point } = this;
    if (!point) return ask(this.live());
    const known = point.facts[name];
    if (known !== undefined) return known as NonNullable<Facts[Name]>;
    const answer = ask(this.live());
    point.facts[name] = answer;
    return answer;
  }

  // --- what it is told; see the methods of the model

  enabled(): readonly Step[] {
    return this.call('enabled') as readonly Step[];
  }

  take({ kind, id }: Step, late = 0): void {
    this.call('take', id, KINDS.indexOf(kind), late);
  }

  takeInSameTurn({ kind, id }: Step): void {
    this.call('takeInSameTurn', id, KINDS.indexOf(kind));
  }

  startTimer(id: number, delay: number, how: TimerStart = {}): void {
    const { ref = true, ticking = false, repeats = false, again = false } = how;
    this.call('startTimer', id, delay, bitsOf(ref, ticking, repeats, again));
  }

  cancelTimer(id: number, restarts = false, ticking = false): void {
    this.call('cancelTimer', id, 0, bitsOf(restarts, ticking));
  }

  setRef(id: number, ref: boolean): void {
    this.call('setRef', id, 0, bitsOf(ref));
  }

  startImmediate(id: number): void {
    this.call('startImmediate', id);
  }

  cancelImmediate(id: number): void {
    this.call('cancelImmediate', id);
  }

  issue(id: number, effects = 1, slow = false): void {
    this.call('issue', id, effects, bitsOf(slow));
  }

  arrive(id: number, how: Arrival = { by: 'handle' }, behind = -1): void {
    this.call('arrive', id, behind, 0, JSON.stringify(how), how);
  }

  withdraw(id: number): void {
    this.call('withdraw', id);
  }

  close(id: number): void {
    this.call('close', id);
  }

  finish(id: number): void {
    this.call('finish', id);
  }

  ticked(): void {
    this.call('ticked');
  }

  place(): number {
    return this.call('place') as number;
  }

  readClock(): number {
    return this.call('readClock') as number;
  }

  tell(moment: number): number {
    return this.call('tell', moment) as number;
  }

  wait(ms: number): void {
    this.call('wait', ms);
  }

  private call(call: ModelCall, a = 0, b = 0, c = 0, text = '', how: Arrival | null = null): ModelAnswer {
    const { point } = this;
    if (point) {
      const known = point.find(call, a, b, c, text);
      if (known) return this.follow(known);
    }
    const model = this.live();
    const answer = tell(model, { call, a, b, c, how });
    if (!point) return answer;
    const edge =
      this.path.length < MOST_CALLS
        ? point.lead({ call, a, b, c, text, how, to: this.memory.point(model, answer) })
        : null;
    if (edge) {
      this.heard += 1;
      return this.follow(edge);
    }
    this.point = null;
    this.path.length = 0;
    this.heard = 0;
    this.told = model;
    return answer;
  }

  private follow(edge: Edge): ModelAnswer {
    const { facts } = edge.to;
    this.path.push(edge);
    this.point = edge.to;
    this.told = facts;
    return facts.answer;
  }

  /** A model that was told all that this one was. */
  private live(): LoopModel {
    const { path } = this;
    this.model ??= new LoopModel(this.options);
    for (; this.heard < path.length; this.heard++) tell(this.model, path[this.heard] as Edge);
    return this.model;
  }
}

/** How the gate of one thread of a pool takes its steps among the other threads; see loop-holder.ts for time. */
import type { Step } from '../../data/feasibility/exact/loop.ts';
import { DEFAULT_LIMITS } from '../../data/run.ts';
import { Op } from '../../data/threads/trace.ts';
import type { HostRequest } from '../../monitor/host/request.ts';
import type { ThreadActivation } from '../../monitor/threads/activation.ts';
import type { Companions } from '../gate/companions.ts';
import { H, isInForce, RULE } from './control.ts';
import type { Files } from './file-cells.ts';
import type { LoopHolder } from './loop-holder.ts';
import type { AsyncWaits } from './wait-async.ts';

/** Any moment will do for clocks that count from nowhere. */
const MONOTONIC = 1000;
const MILLION = 1e6;
/** By so much more may an answer of the host be late than what only the CPU has to do, ms. */
const PATIENCE_MS = DEFAULT_LIMITS.maxStallMs - DEFAULT_LIMITS.maxPauseMs;

/** One execution. */
export class PoolCompanions implements Companions {
  readonly monotonic = MONOTONIC;
  readonly epoch: number;
  /** What each step was, by its ordinal. */
  readonly steps: string[] = [];
  protected readonly words: Int32Array;
  private readonly holder: LoopHolder;
  /** By how much the loop is behind the clock of all threads, and from which of its times on. */
  private readonly offsets: { readonly from: number; readonly ms: number }[] = [{ from: 0, ms: 0 }];
  /** When each pending request was or is due. */
  private readonly due = new Map<HostRequest, number>();
  /** Of requests for answers of the host: when the first of those was made that led to it one by one. */
  private readonly since = new WeakMap<HostRequest, number>();
  /** When requests for answers were made. */
  private readonly asked = new WeakMap<HostRequest, number>();
  /** The same for the turn that is on; null: no answer began it. */
  private chain: number | null = null;

  private readonly waits: AsyncWaits;
  readonly files: Files;
  /** The call of an async function behind each request, and behind the turn that is on. */
  private readonly origins = new WeakMap<HostRequest, ThreadActivation>();
  private origin: ThreadActivation | null = null;

  constructor(words: Int32Array, holder: LoopHolder, waits: AsyncWaits, files: Files) {
    this.files = files;
    this.waits = waits;
    this.words = words;
    this.holder = holder;
    this.epoch = epochOf(words);
  }

  now(at: number): number {
    const told = at + this.offsets.at(-1)!.ms;
    this.holder.time = told;
    if (this.holder.time <= told || !isInForce(this.words, RULE.clock)) return told;
    this.offsets.push({ from: at, ms: this.holder.time - at });
    return this.holder.time;
  }

  then(at: number): number {
    return at + this.offsets.findLast(({ from }) => from <= at)!.ms;
  }

  issued(request: HostRequest, at: number): void {
    const now = this.now(at);
    if (request.kind !== 'pool') this.due.set(request, now + (request.kind === 'timer' ? request.delay : 0));
    else {
      // Rule C14: an answer may be late, with all the answers that it leads to until a timer comes between.
      const since = this.chain ?? now;
      this.asked.set(request, now);
      this.since.set(request, since);
      this.due.set(request, Math.max(now, since + PATIENCE_MS));
    }
    const by = this.holder.activations?.current ?? null;
    const origin = by ?? this.holder.activations?.module ?? this.origin;
    if (origin) this.origins.set(request, origin);
    this.holder.tell({
      ...{ kind: 'issued', request: request.id, by: by?.id ?? 0 },
      source: this.sourceOf(request),
    });
  }

  /** The number of what others brought about; null: what this thread did led to it. */
  protected sourceOf(request: HostRequest): number | null {
    return this.waits.sourceOf(request);
  }

  withdrawn(request: HostRequest): void {
    if (this.due.delete(request)) this.holder.tell({ kind: 'withdrawn', request: request.id });
  }

  /** What it touched are accesses like those of memory, at the `await` that waits for it. */
  effect(request: HostRequest): void {
    const origin = this.origins.get(request);
    // What nobody looks into waits for nothing that is known.
    if (!origin || origin.at === 0) return;
    for (const { entity, write } of request.accesses())
      this.holder.access(write ? Op.Write : Op.Read, this.files.cellOf(entity), origin.at);
  }

  step(kind: Step['kind'], request: HostRequest, at: number, name: string): boolean {
    const turn = kind !== 'effect' && kind !== 'end';
    if (turn) {
      this.holder.activations?.turn();
      this.origin = this.origins.get(request) ?? null;
      this.chain = this.since.get(request) ?? null;
    }
    const mark = { kind: 'step', request: request.id, turn, name } as const;
    const isTaken = this.holder.turn(this.shared(at), this.behind(), mark);
    this.now(at);
    if (isTaken) this.tellLate(request);
    if (turn) this.due.delete(request);
    this.steps.push(wordsFor(kind, request));
    return isTaken;
  }

  private tellLate(request: HostRequest): void {
    const asked = this.asked.get(request);
    if (asked !== undefined) this.holder.tellLate(this.holder.time - asked, request.api, request.what);
    else this.holder.tellLate(this.holder.time - (this.due.get(request) ?? Number.POSITIVE_INFINITY));
  }

  claim(): 'now' | 'later' | 'over' {
    return this.holder.claim(this.behind());
  }

  rest(until: number): 'time' | 'news' | 'over' {
    return this.holder.rest(this.shared(until));
  }

  /** A time of this loop by the clock of all threads. */
  private shared(at: number): number {
    return at + this.offsets.at(-1)!.ms;
  }

  /** When the earliest is or was due of what this thread has to do. */
  private behind(): number {
    let behind = Number.POSITIVE_INFINITY;
    for (const due of this.due.values()) behind = Math.min(behind, due);
    return behind;
  }

  wait(): boolean {
    return this.holder.others();
  }

  arrived(): Iterable<HostRequest> {
    return this.waits.any ? this.waits.arrived() : [];
  }
}

const VERB: Readonly<Record<Step['kind'], string>> = {
  effect: 'takes effect',
  end: 'leaves its thread of the pool',
  deliver: 'answers',
  timer: 'fires',
  immediate: 'runs',
  close: 'is closed',
};

function wordsFor(kind: Step['kind'], request: HostRequest): string {
  const { api, what } = request;
  const comes = request.kind === 'external' && (request.how.by === 'message' || request.how.by === 'engine');
  return `${what === '' ? api : `${api} ${what}`} ${comes ? 'comes' : VERB[kind]}`;
}

export function setEpoch(words: Int32Array, ms: number): void {
  words[H.EpochMillions] = Math.floor(ms / MILLION);
  words[H.EpochRest] = ms % MILLION;
}

const epochOf = (words: Int32Array): number => words[H.EpochMillions]! * MILLION + words[H.EpochRest]!;

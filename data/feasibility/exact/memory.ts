/**
 * What models of the loop have answered so far. A model is a function of what it was told and asked, in order, and of
 * nothing else; and most runs of a program begin like runs before them: with the same requests, and the same steps taken.
 * So their answers are remembered, as a tree: a point for each beginning, an edge for each thing that may be told next.
 */

import type { LoopOptions } from '../rules.ts';
import type { Arrival } from './arrivals.ts';
import type { LoopModel } from './loop.ts';
import type { Step, StepKind } from './steps.ts';

/** Something that a model was told: one of its methods (or what may be set) with its arguments. */
export type ModelCall =
  | 'take'
  | 'takeInSameTurn'
  | 'enabled'
  | 'startTimer'
  | 'cancelTimer'
  | 'setRef'
  | 'startImmediate'
  | 'cancelImmediate'
  | 'issue'
  | 'arrive'
  | 'withdraw'
  | 'close'
  | 'finish'
  | 'ticked'
  | 'place'
  | 'readClock'
  | 'tell'
  | 'wait'
  | 'horizon'
  | 'keptAlive';

/** Arguments are numbers, booleans as bits of the last one; what an arrival is like has a text besides. */
export interface Edge {
  readonly call: ModelCall;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly how: Arrival | null;
  readonly text: string;
  readonly to: MemoryPoint;
  /** Another one from the same point. */
  readonly next: Edge | null;
}

/** What a call returns. */
export type ModelAnswer = readonly Step[] | number | undefined;

/** What is known at a point; what nobody has asked there is not. */
export interface Facts {
  readonly now: number;
  readonly moment: number;
  readonly isRead: boolean;
  /** What the call that led here returned. */
  readonly answer: ModelAnswer;
  blockedUntil?: number;
  idle?: boolean;
  awaitsTimer?: boolean;
  lasts?: boolean;
  effects?: readonly Step[];
  sameTurn?: readonly Step[];
  longestPause?: number;
  lateness?: readonly { readonly id: number; readonly ms: number }[];
}

export class MemoryPoint {
  readonly facts: Facts;
  private edges: Edge | null = null;
  private width = 0;

  constructor({ now, moment, isRead }: LoopModel, answer: ModelAnswer) {
    this.facts = { now, moment, isRead, answer };
  }

  find(call: ModelCall, a: number, b: number, c: number, text: string): Edge | null {
    let edge = this.edges;
    while (
      edge &&
      !(edge.call === call && edge.a === a && edge.b === b && edge.c === c && edge.text === text)
    )
      edge = edge.next;
    return edge;
  }

  /** Null where there are so many already that they will hardly come again: they depend on something from outside. */
  lead(edge: Omit<Edge, 'next'>): Edge | null {
    if (this.width === WIDEST) return null;
    this.width += 1;
    this.edges = { ...edge, next: this.edges };
    return this.edges;
  }
}

const WIDEST = 32;
/** So many points are remembered, some megabytes; then all begins anew. */
const MOST_POINTS = 20_000;

export class Memory {
  private readonly beginnings = new Map<string, MemoryPoint>();
  private size = 0;

  /** The point at which models with these options begin. */
  beginning(options: LoopOptions, model: () => LoopModel): MemoryPoint {
    const key = keyOf(options);
    let point = this.beginnings.get(key);
    if (!point) {
      point = new MemoryPoint(model(), undefined);
      this.beginnings.set(key, point);
    }
    return point;
  }

  /** A further point. */
  point(model: LoopModel, answer: ModelAnswer): MemoryPoint {
    if (++this.size > MOST_POINTS) {
      this.beginnings.clear();
      this.size = 0;
    }
    return new MemoryPoint(model, answer);
  }
}

function keyOf({ rules, poolSize, maxStallMs, maxPauseMs, firstTurn, loopback }: LoopOptions): string {
  const { timers, effects, phases, pool, bounded, closing, unref } = rules;
  const bits = bitsOf(timers, effects, phases, pool, bounded, closing, unref);
  return `${bits} ${poolSize} ${maxStallMs} ${maxPauseMs} ${firstTurn} ${loopback}`;
}

export function bitsOf(...flags: readonly boolean[]): number {
  let bits = 0;
  for (const flag of flags) bits = 2 * bits + (flag ? 1 : 0);
  return bits;
}

export const KINDS: readonly StepKind[] = ['effect', 'end', 'deliver', 'timer', 'immediate', 'close'];

/** Tells a model what an edge says. Steps are told by their kind and id alone. */
export function tell(
  model: LoopModel,
  { call, a, b, c, how }: Pick<Edge, 'call' | 'a' | 'b' | 'c' | 'how'>,
): ModelAnswer {
  switch (call) {
    case 'take':
      model.take({ kind: KINDS[b] as StepKind, id: a, pause: 0 }, c);
      return undefined;
    case 'takeInSameTurn':
      model.takeInSameTurn({ kind: KINDS[b] as StepKind, id: a, pause: 0 });
      return undefined;
    case 'enabled':
      return model.enabled();
    case 'startTimer':
      model.startTimer(a, b, {
        ref: (c & 8) > 0,
        ticking: (c & 4) > 0,
        repeats: (c & 2) > 0,
        again: (c & 1) > 0,
      });
      return undefined;
    case 'cancelTimer':
      model.cancelTimer(a, (c & 2) > 0, (c & 1) > 0);
      return undefined;
    case 'setRef':
      model.setRef(a, c > 0);
      return undefined;
    case 'issue':
      model.issue(a, b, c > 0);
      return undefined;
    case 'arrive':
      model.arrive(a, how ?? undefined, b);
      return undefined;
    case 'readClock':
      return model.readClock();
    case 'place':
      return model.place();
    case 'tell':
      return model.tell(a);
    case 'ticked':
      model.ticked();
      return undefined;
    case 'horizon':
      model.horizon = a;
      return undefined;
    case 'keptAlive':
      model.keptAlive = c > 0;
      return undefined;
    default:
      model[call](a);
      return undefined;
  }
}

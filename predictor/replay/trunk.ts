/**
 * The observed order as the trunk from which other orders branch off: a replay of it that can be put to any
 * place, so that an order costs only what it does differently.
 */
import type { LoopOptions } from '../../data/feasibility/rules.ts';
import type { Program } from '../program.ts';
import { Replay } from './replay.ts';
import type { Steps } from './steps.ts';

/** An order: the trunk as far as `from`, then steps of its own. */
export interface Branch {
  readonly from: number;
  readonly tail: Int32Array;
  /** Virtual clock at the end, ms. */
  readonly clock: number;
  /** Steps taken while one that comes earlier in the observed order was possible. */
  readonly moves: number;
}

export class Trunk {
  readonly replay: Replay;
  readonly steps: Steps;
  /** The steps in order. */
  readonly order: Int32Array;
  /** Where each step stands; beyond the end where it is not taken. */
  readonly placeOf: Int32Array;
  /** How many steps each event, and the start of each request, needs; beyond the end where it never comes. */
  readonly eventAt: Int32Array;
  /** When each event happens, as an ordinal from 1; 0 for never. */
  readonly moments: Int32Array;
  readonly startAt: Int32Array;
  private readonly marks: number[] = [];
  private place = 0;

  constructor(program: Program, options: Partial<LoopOptions>) {
    const replay = new Replay(program, options);
    this.replay = replay;
    this.steps = replay.steps;
    const never = this.steps.count + 1;
    this.placeOf = new Int32Array(this.steps.count).fill(never);
    this.eventAt = new Int32Array(program.trace.events.length).fill(never);
    for (;;) {
      this.marks.push(replay.mark());
      const next = replay.first();
      if (next < 0) break;
      this.placeOf[next] = replay.length;
      replay.take(next);
    }
    this.place = replay.length;
    this.moments = this.eventAt.map((_, event) => replay.moment(event));
    for (const event of replay.sequence.subarray(0, replay.executed))
      this.eventAt[event] = replay.lengthAt(event);
    this.order = replay.taken.slice(0, this.place);
    this.startAt = replay.startedAt.map((at) => (at < 0 ? never : at));
  }

  get length(): number {
    return this.order.length;
  }

  /** Puts the replay to where `place` steps of the observed order have been taken. */
  seek(place: number): Replay {
    const { replay } = this;
    // Whoever branched off has come back to the trunk behind this place, or is undone here.
    this.place = Math.min(this.place, place);
    replay.undo(this.marks[this.place] as number);
    while (this.place < place) replay.take(this.order[this.place++] as number);
    return replay;
  }

  /** What the replay did since it left the trunk at `from`, up to `length` steps in all. */
  branch(from: number, moves: number, length = this.replay.length): Branch {
    const { taken, clocks } = this.replay;
    const left = Math.min(from, length);
    return { from: left, tail: taken.slice(left, length), clock: clocks[length] as number, moves };
  }

  /** All steps of a branch, by name. */
  namesOf({ from, tail }: Branch): string[] {
    const names: string[] = new Array(from + tail.length);
    for (let i = 0; i < names.length; i++)
      names[i] = this.steps.names[(i < from ? this.order[i] : tail[i - from]) as number] as string;
    return names;
  }
}

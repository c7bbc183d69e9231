/**
 * Candidates of a trace of any length, in memory that depends on what is distinct in it and not on its length
 * (Penelope §3.3). Read twice: `look` finds the entities that are shared and written (escape analysis), `scan`
 * collects witnesses, `candidates` compares them.
 *
 * Departures from the paper: a witness for every program point and class of locks rather than one per entity;
 * every access of a transaction pairs with the next read and the next write of the same entity (pairing the
 * second access with the last ones before it loses patterns); the cut may be at the first access itself.
 *
 * A candidate satisfies what is necessary: locksets and histories compatible, cut consistent under the
 * must-order. With two threads, nested locks and no order-only operations that is sufficient; otherwise decide.ts
 * has the last word.
 */
import { PATTERNS, type Pattern } from '../../../data/prediction.ts';
import { Op, type ThreadEvents } from '../../../data/threads/trace.ts';
import { Groups } from './groups.ts';
import { Positions } from './positions.ts';
import { type Pairs, Stretch } from './stretch.ts';
import { Row, Witnesses } from './witnesses.ts';

export interface Counts {
  readonly threads: number;
  readonly entities: number;
  /** A hint only. */
  readonly events?: number;
}

export interface Candidate {
  readonly pattern: Pattern;
  readonly entity: number;
  /** Event indices. `cut`: the event of the local thread after which the remote access can be reached. */
  readonly first: number;
  readonly cut: number;
  readonly second: number;
  readonly remote: number;
}

const SHARED_AND_WRITTEN = 3;
/** Room that is made beforehand, so that tables seldom grow. */
const EVENTS_PER_WITNESS = 16;
const MOST_EXPECTED = 1 << 19;
/** A pair has nothing but its key: two shapes. */
const PAIR_STRIDE = 3;

/** Pattern by first, remote and second access: bit 2, 1, 0 set where it writes. */
const PATTERN = Array.from({ length: 8 }, (_, bits) => {
  const letters = [4, 2, 1].map((bit) => (bits & bit ? 'W' : 'R')).join('');
  return PATTERNS.find((pattern) => pattern === letters) ?? null;
});

export class Pass implements Pairs {
  private readonly entities: number;
  /** 0: not touched, t + 1: by thread t alone. */
  private readonly toucher: Int32Array;
  /** Bit 0: touched by several threads. Bit 1: written. */
  private readonly use: Uint8Array;
  private readonly positions: Positions;
  private readonly stretches: Stretch[];
  private readonly remotes: Witnesses;
  private readonly locals: Witnesses;
  /** Pairs of program points as numbers. */
  private readonly pairs = new Witnesses(PAIR_STRIDE);
  private events = 0;

  constructor({ threads, entities, events = 0 }: Counts) {
    this.entities = entities;
    this.toucher = new Int32Array(entities);
    this.use = new Uint8Array(entities);
    this.positions = new Positions(threads);
    this.stretches = Array.from({ length: threads }, (_, t) => new Stretch(t, entities, this.positions));
    const expected = Math.min(MOST_EXPECTED, Math.max(1000, events / EVENTS_PER_WITNESS));
    this.remotes = new Witnesses(Row.First + 1, expected);
    this.locals = new Witnesses(Row.Second + 1, expected / 4);
  }

  /** First reading. */
  look({ length, op, object, thread }: ThreadEvents): void {
    const { toucher, use } = this;
    for (let i = 0; i < length; i++) {
      const kind = op[i]!;
      if (kind > Op.Write) continue;
      const entity = object[i]!;
      const self = thread[i]! + 1;
      const known = toucher[entity]!;
      if (known === 0) toucher[entity] = self;
      else if (known !== self) use[entity]! |= 1;
      use[entity]! |= kind << 1;
    }
  }

  /** Second reading, of the same events in the same order. */
  scan({ length, op, object, point, thread }: ThreadEvents): void {
    const { entities, remotes, stretches, use } = this;
    const from = this.events;
    for (let i = 0; i < length; i++) {
      const kind = op[i]!;
      const t = thread[i]!;
      const entity = object[i]!;
      if (kind > Op.Write) {
        stretches[t]!.step(kind, entity, from + i);
        continue;
      }
      if (use[entity] !== SHARED_AND_WRITTEN) continue;
      const stretch = stretches[t]!;
      const shape = (point[i]! << 1) | kind;
      const row = remotes.find(t * entities + entity, shape, stretch.position);
      if (remotes.isNew) remotes.rows[row + Row.First] = from + i;
      if (stretch.isInside) stretch.access(entity, shape, from + i, this);
    }
    this.events = from + length;
  }

  /** {@link Pairs}: called for every pair of accesses. */
  pair(
    thread: number,
    entity: number,
    firstShape: number,
    secondShape: number,
    position: number,
    first: number,
    cut: number,
    second: number,
  ): void {
    const shape = this.pairs.find(firstShape, secondShape, 0) / PAIR_STRIDE;
    const { locals } = this;
    const row = locals.find(thread * this.entities + entity, shape, position);
    if (!locals.isNew) return;
    const { rows } = locals;
    rows[row + Row.First] = first;
    rows[row + Row.Cut] = cut;
    rows[row + Row.Second] = second;
  }

  /** Of every kind (entity, program points, pattern) the first candidate. `found` is called for each. */
  candidates(found: (candidate: Candidate) => void): void {
    const locals = new Groups(this.locals, this.entities);
    const remotes = new Groups(this.remotes, this.entities);
    for (let entity = 0; entity < this.entities; entity++) {
      const others = remotes.of(entity);
      for (const local of locals.of(entity)) {
        const pair = local.shape * PAIR_STRIDE;
        const first = this.pairs.rows[pair + Row.Slot]! & 1;
        const second = this.pairs.rows[pair + Row.Shape]! & 1;
        for (const remote of others) {
          const pattern = PATTERN[(first << 2) | ((remote.shape & 1) << 1) | second];
          if (pattern) this.compare(pattern, entity, local.head, remote.head, found);
        }
      }
    }
  }

  /** The first two witnesses of two groups that can be reached together. */
  private compare(
    pattern: Pattern,
    entity: number,
    local: number,
    remote: number,
    found: (candidate: Candidate) => void,
  ): void {
    const a = this.locals.rows;
    const b = this.remotes.rows;
    for (let i = local; i >= 0; i = a[i + Row.Next]!)
      for (let j = remote; j >= 0; j = b[j + Row.Next]!) {
        // Of one entity: other slots are other threads.
        if (a[i + Row.Slot] === b[j + Row.Slot]) continue;
        if (!this.positions.canMeet(a[i + Row.Position]!, b[j + Row.Position]!)) continue;
        found({
          pattern,
          entity,
          first: a[i + Row.First]!,
          cut: a[i + Row.Cut]!,
          second: a[i + Row.Second]!,
          remote: b[j + Row.First]!,
        });
        return;
      }
  }
}

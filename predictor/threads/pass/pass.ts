/**
 * Candidates of a trace of any length, in memory that depends on what is distinct in it and not on its length
 * (Penelope §3.3). Read twice: `look` finds the entities that are shared and written (escape analysis) and the
 * must-order, `scan` collects witnesses, `candidates` compares them.
 *
 * Departures from the paper: witnesses for every program point and class of locks rather than one per entity;
 * every access of a transaction pairs with the next read and the next write of the same entity (pairing the
 * second access with the last ones before it loses patterns); the cut may be at the first access itself.
 *
 * A candidate satisfies what is necessary: locksets and histories compatible, cut consistent under the
 * must-order. With two threads, nested locks and no order-only operations that is sufficient; otherwise decide.ts
 * has the last word.
 */
import { PATTERNS, type Pattern } from '../../../data/prediction.ts';
import { isOrderOnly, Op, type ThreadEvents } from '../../../data/threads/trace.ts';
import { EpochCoverage } from './coverage.ts';
import { Epochs } from './epochs.ts';
import { Positions } from './positions.ts';
import { type Pairs, Stretch } from './stretch.ts';
import { Witnesses } from './witnesses.ts';

export interface Counts {
  readonly threads: number;
  readonly entities: number;
  /** A hint only. */
  readonly events?: number;
}

/** Three program points, an entity and a pattern, with events that witness them. */
export interface WitnessedTriple {
  readonly pattern: Pattern;
  readonly entity: number;
  /** Event indices. `cut`: the event of the local thread after which the remote access can be reached. */
  readonly first: number;
  readonly cut: number;
  readonly second: number;
  readonly remote: number;
  /** Program points of the three accesses. */
  readonly points: { readonly first: number; readonly second: number; readonly remote: number };
}

const SHARED_AND_WRITTEN = 3;
/** Events whose accesses are looked up side by side, where memory is what they wait for. A power of two. */
const AHEAD = 32;
/** Room that is made beforehand, so that tables seldom grow. */
const EVENTS_PER_ROW = 64;
const MOST_EXPECTED = 1 << 16;

/** Pattern by first, remote and second access: bit 2, 1, 0 set where it writes. */
const PATTERN = Array.from({ length: 8 }, (_, bits) => {
  const letters = [4, 2, 1].map((bit) => (bits & bit ? 'W' : 'R')).join('');
  return PATTERNS.find((pattern) => pattern === letters) ?? null;
});

/** What {@link Pass.scan} collects. */
interface PassTables {
  readonly positions: Positions;
  readonly coverage: EpochCoverage;
  readonly stretches: readonly Stretch[];
  /** Accesses from a program point, as entity and twice the point plus 1 where it writes. */
  readonly remotes: Witnesses;
  /** Pairs of such accesses, each as twice its row plus 1 where it writes. */
  readonly locals: Witnesses;
}

export class Pass implements Pairs {
  private readonly counts: Counts;
  /** 0: not touched, t + 1: by thread t alone. */
  private readonly toucher: Int32Array;
  /** Bit 0: touched by several threads. Bit 1: written. */
  private readonly use: Uint8Array;
  /** Of the whole trace, after the first reading. */
  readonly epochs: Epochs;
  private tables: PassTables | null = null;
  private events = 0;

  constructor(counts: Counts) {
    this.counts = counts;
    this.toucher = new Int32Array(counts.entities);
    this.use = new Uint8Array(counts.entities);
    this.epochs = new Epochs(counts.threads);
  }

  /** First reading. */
  look({ length, op, object, thread }: ThreadEvents): void {
    const { epochs, toucher, use } = this;
    for (let i = 0; i < length; i++) {
      const kind = op[i]!;
      const entity = object[i]!;
      if (kind > Op.Write) {
        if (isOrderOnly(kind)) epochs.step(kind, thread[i]!, entity);
        continue;
      }
      const self = thread[i]! + 1;
      const known = toucher[entity]!;
      if (known === 0) toucher[entity] = self;
      else if (known !== self) use[entity]! |= 1;
      use[entity]! |= kind << 1;
    }
  }

  /** Second reading, of the same events in the same order. */
  scan({ length, op, object, point, thread }: ThreadEvents): void {
    this.tables ??= this.newTables();
    const { remotes, stretches } = this.tables;
    const { use } = this;
    const from = this.events;
    for (let i = 0; i < length; i++) {
      if ((i & (AHEAD - 1)) === 0 && remotes.keys.isLarge)
        for (let j = i; j < length && j < i + AHEAD; j++)
          if (op[j]! <= Op.Write && use[object[j]!] === SHARED_AND_WRITTEN)
            remotes.keys.touch(object[j]!, (point[j]! << 1) | op[j]!);
      const kind = op[i]!;
      const entity = object[i]!;
      const stretch = stretches[thread[i]!]!;
      if (kind > Op.Write) {
        stretch.step(kind, entity, from + i);
        continue;
      }
      if (use[entity] !== SHARED_AND_WRITTEN) continue;
      const row = remotes.row(entity, (point[i]! << 1) | kind);
      if (!remotes.isCovered(stretch.epoch))
        remotes.offer(row, stretch.epoch, stretch.lockClass, from + i, 0, 0);
      if (stretch.isInside) stretch.access(entity, (row << 1) | kind, from + i, this);
    }
    this.events = from + length;
  }

  /** {@link Pairs} */
  pairOf(first: number, second: number): number {
    return this.tables!.locals.row(first, second);
  }

  /** {@link Pairs} */
  isCovered(epoch: number): boolean {
    return this.tables!.locals.isCovered(epoch);
  }

  /** {@link Pairs} */
  pair(pair: number, epoch: number, lockClass: number, first: number, cut: number, second: number): void {
    this.tables!.locals.offer(pair, epoch, lockClass, first, cut, second);
  }

  /** {@link Pairs} */
  pairRun(pair: number, from: number, until: number, first: number, cut: number, second: number): void {
    this.tables!.locals.offer(pair, from, 0, first, cut, second, until);
  }

  /**
   * Whether every candidate is reachable. All locks are nested, and nobody holds one at an order-only operation or
   * at an end that is waited for: so whatever must come before the two epochs that meet can run as observed, epoch
   * by epoch, and leaves all locks free; and for the rest of two threads histories are exact (lock-states.ts).
   */
  get isExact(): boolean {
    const stretches = this.tables?.stretches ?? [];
    return stretches.every(
      ({ isFree, isSimple }, thread) => isSimple && (isFree || !this.epochs.joined.has(thread)),
    );
  }

  /**
   * Every kind (entity, program points, pattern) that may be reachable, once: for each row of locals and each
   * pattern, `rows` are, from `from` to `to`, the rows of remote accesses, which {@link candidate} makes events of.
   * There may be many more kinds than events.
   */
  candidates(
    found: (pattern: Pattern, local: number, rows: Int32Array, from: number, to: number) => void,
  ): void {
    if (!this.tables) return;
    const { coverage, locals, positions, remotes } = this.tables;
    const { pairs } = locals.keys;
    const accesses = remotes.keys.pairs;
    // By entity, reads before writes, and first those that whatever pair there is can meet. What is looked at for
    // every candidate lies side by side.
    const { from, items } = sorted(
      remotes.keys.count,
      4 * this.counts.entities,
      (row) =>
        4 * accesses[2 * row]! +
        2 * (accesses[2 * row + 1]! & 1) +
        (coverage.isWhole(remotes.free(row)) ? 0 : 1),
    );
    const epochs = items.map((row) => remotes.epochs(row));
    const free = items.map((row) => remotes.free(row));
    const meeting = this.meeting();
    const met = items.slice();
    for (let local = 0; local < locals.keys.count; local++) {
      const first = pairs[2 * local]!;
      const entity = accesses[2 * (first >> 1)]!;
      // Who holds nothing can meet whoever is there.
      const meets = meeting(locals.epochs(local));
      const meetsAll = meeting(locals.free(local));
      const isWhole = coverage.isWhole(locals.free(local));
      for (let remoteWrites = 0; remoteWrites < 2; remoteWrites++) {
        const pattern = PATTERN[((first & 1) << 2) | (remoteWrites << 1) | (pairs[2 * local + 1]! & 1)]!;
        if (pattern === null) continue;
        const group = 4 * entity + 2 * remoteWrites;
        const [start, others, end] = [from[group]!, from[group + 1]!, from[group + 2]!];
        if (isWhole || others === end) {
          if (start < end) found(pattern, local, items, start, end);
          continue;
        }
        met.set(items.subarray(start, others), start);
        let to = others;
        for (let at = others; at < end; at++) {
          met[to] = items[at]!;
          if (((free[at]! & meets) | (epochs[at]! & meetsAll)) !== 0) to++;
          else if (witness(locals, local, remotes, items[at]!, positions)) to++;
        }
        if (start < to) found(pattern, local, met, start, to);
      }
    }
  }

  /** Of a set of epochs (coverage.ts): the epochs that some of them can meet. */
  private meeting(): (set: number) => number {
    const { coverage } = this.tables!;
    const each = Int32Array.from({ length: coverage.limit }, (_, epoch) =>
      coverage.meeting(this.epochs, epoch),
    );
    return (set) =>
      set === 0 ? 0 : each.reduce((union, meet, epoch) => ((set >> epoch) & 1 ? union | meet : union), 0);
  }

  /** How far the accesses of a local row are apart where they were seen, in events. */
  distance(local: number): number {
    const { locals } = this.tables!;
    const witness = locals.head(local);
    return locals.event(witness, 2) - locals.event(witness);
  }

  /** The events of what {@link candidates} found. */
  candidate(pattern: Pattern, local: number, remote: number): WitnessedTriple {
    const { locals, positions, remotes } = this.tables!;
    const met = witness(locals, local, remotes, remote, positions);
    const point = (row: number): number => remotes.keys.second(row) >> 1;
    if (!met) throw new Error('these rows cannot meet');
    const [pair, access, epoch] = met;
    const isFirst = epoch === positions.epoch(locals.position(pair));
    return {
      pattern,
      entity: remotes.keys.first(remote),
      first: locals.event(pair),
      cut: isFirst ? locals.event(pair, 1) : this.epochs.freeAt(epoch),
      second: locals.event(pair, 2),
      remote: remotes.event(access),
      points: {
        first: point(locals.keys.first(local) >> 1),
        second: point(locals.keys.second(local) >> 1),
        remote: point(remote),
      },
    };
  }

  private newTables(): PassTables {
    const { entities, events = 0, threads } = this.counts;
    const { epochs } = this;
    epochs.rewind();
    const coverage = new EpochCoverage(epochs);
    const positions = new Positions(epochs);
    const expected = Math.min(MOST_EXPECTED, Math.max(1000, Math.ceil(events / EVENTS_PER_ROW)));
    return {
      positions,
      coverage,
      stretches: Array.from({ length: threads }, (_, t) => new Stretch(t, entities, epochs, positions.locks)),
      remotes: new Witnesses(positions, coverage, 1, expected),
      locals: new Witnesses(positions, coverage, 3, expected),
    };
  }
}

/** Two witnesses of two rows that can meet, and in which epoch of the first. */
function witness(
  locals: Witnesses,
  local: number,
  remotes: Witnesses,
  remote: number,
  positions: Positions,
): readonly [number, number, number] | null {
  for (let i = locals.head(local); i >= 0; i = locals.next(i))
    for (let j = remotes.head(remote); j >= 0; j = remotes.next(j)) {
      const epoch = positions.meeting(locals.position(i), locals.until(i), remotes.position(j));
      if (epoch >= 0) return [i, j, epoch];
    }
  return null;
}

/** The numbers below `count` sorted by a key below `keys`: those of key k from `from[k]` on. */
function sorted(count: number, keys: number, keyOf: (item: number) => number) {
  const from = new Int32Array(keys + 1);
  for (let item = 0; item < count; item++) from[keyOf(item) + 1]!++;
  for (let key = 0; key < keys; key++) from[key + 1]! += from[key]!;
  const next = from.slice();
  const items = new Int32Array(count);
  for (let item = 0; item < count; item++) items[next[keyOf(item)]!++] = item;
  return { from, items };
}

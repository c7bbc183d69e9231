/** The events of an execution as a trace: addresses become entities, locks and channels with names. */
import { isAccess, Op, type ThreadEvents, type ThreadTrace } from '../../data/threads/trace.ts';
import { spelled } from '../../data/threads/transaction.ts';
import type { SiteInfo } from '../runtime/types.ts';
import { addressOf, covering, widthOf } from './cells.ts';
import type { SharedView } from './views.ts';

/** An execution as it was logged. */
export interface Logged {
  /** Pieces of the log, two words for each event: see `unpack`. */
  readonly pieces: readonly Int32Array[];
  readonly threads: readonly string[];
  /** By thread, the views that it met. */
  readonly views: readonly (readonly SharedView[])[];
  /** By point number. */
  readonly sites: readonly (SiteInfo | undefined)[];
  /** Thread, operation and point of an event's first word. */
  readonly unpack: {
    thread(word: number): number;
    op(word: number): number;
    point(word: number): number;
  };
}

/** Numbers for cells or points, in the order in which they come. */
class Numbering {
  readonly keys: number[] = [];
  private readonly known = new Map<number, number>();

  of(key: number): number {
    let id = this.known.get(key);
    if (id === undefined) this.known.set(key, (id = this.keys.push(key) - 1));
    return id;
  }
}

/** Which numbering an operation's object is of; null: it has none. */
type NamedKind = 'entities' | 'locks' | 'channels' | null;
const KIND: readonly NamedKind[] = [
  ...(['entities', 'entities', 'locks', 'locks', 'locks', 'locks'] as const),
  ...([null, null, null, null] as const),
  ...(['channels', 'channels', 'channels', 'channels'] as const),
];

/** A trace, and what its numbers were in the log. */
export interface Named {
  readonly trace: ThreadTrace;
  /** Cell of each lock. */
  readonly locks: readonly number[];
  /** Number of each point. */
  readonly points: readonly number[];
  readonly nameOf: (cell: number) => string;
}

export function traceOf({ pieces, sites, threads, unpack, views }: Logged): Named {
  const length = pieces.reduce((sum, piece) => sum + piece.length / 2, 0);
  const events = {
    length,
    op: new Uint8Array(length),
    thread: new Uint16Array(length),
    object: new Int32Array(length),
    point: new Int32Array(length),
  } satisfies ThreadEvents;
  const points = new Numbering();
  const transactions = new Numbering();
  const objects = { entities: new Numbering(), locks: new Numbering(), channels: new Numbering() };
  const accessed = accessedBy(pieces, unpack);
  const entityOf = covering(accessed.all);
  const isLookedAt = new Set(accessed.lookedAt.map((cell) => entityOf.get(cell)));
  let at = 0;
  for (const piece of pieces)
    for (let i = 0; i < piece.length; i += 2, at++) {
      const word = piece[i]!;
      const cell = piece[i + 1]!;
      const op = meaningOf(unpack.op(word), isLookedAt.has(entityOf.get(cell)));
      const point = unpack.point(word);
      const kind = KIND[op]!;
      events.op[at] = op;
      events.thread[at] = unpack.thread(word);
      events.point[at] = points.of(point);
      if (kind === 'entities') events.object[at] = objects.entities.of(entityOf.get(cell)!);
      else if (kind !== null) events.object[at] = objects[kind].of(cell);
      else if (op === Op.Begin && sites[point]) events.object[at] = transactions.of(point);
      else events.object[at] = cell;
    }
  const namer = new Namer(views);
  const named = (kind: keyof typeof objects): string[] =>
    distinct(objects[kind].keys.map((cell) => namer.of(cell)));
  const names = {
    threads,
    entities: named('entities'),
    locks: named('locks'),
    channels: named('channels'),
    points: points.keys.map((point) => placeOf(sites[point])),
    transactions: transactions.keys.map((point) => transactionOf(sites[point]!)),
  };
  return {
    trace: { events, names },
    locks: objects.locks.keys,
    points: points.keys,
    nameOf: (cell) => namer.of(cell),
  };
}

/** The cells that were accessed, and those of them that the user's code accesses. */
function accessedBy(pieces: Logged['pieces'], unpack: Logged['unpack']) {
  const all = new Set<number>();
  const lookedAt = new Set<number>();
  for (const piece of pieces)
    for (let i = 0; i < piece.length; i += 2) {
      if (!isAccess(unpack.op(piece[i]!))) continue;
      all.add(piece[i + 1]!);
      if (unpack.point(piece[i]!) !== 0) lookedAt.add(piece[i + 1]!);
    }
  return { all: [...all], lookedAt: [...lookedAt] };
}

/** What only packages access that nobody looks into is how they synchronise: who reads needs what was written. */
function meaningOf(op: number, isLookedAt: boolean): number {
  if (!isAccess(op) || isLookedAt) return op;
  return op === Op.Write ? Op.Send : Op.Receive;
}

/** The source text of a point, and its function. */
export interface PointText {
  readonly text: string;
  readonly fn: string;
  /** The file that runs, where its points are told in those that it was made of. */
  readonly made?: string;
}

export const pointText = (site: SiteInfo | undefined): PointText => ({
  text: site?.text ?? '',
  fn: site?.fn ?? '',
  ...(site?.made ? { made: site.made.file } : {}),
});

export const placeOf = (site: SiteInfo | undefined): string =>
  site === undefined ? '?' : `${site.file}:${site.line}:${site.column}`;

/** The transaction that begins at a point: a call, unless it is told what of the function it is. */
const transactionOf = ({ atomic, file, fn, text }: SiteInfo): string =>
  spelled({ atomic, file, fn, loop: text === fn ? null : text });

/** Names of places in shared memory. */
class Namer {
  private readonly views: readonly SharedView[];
  /** Of what is no memory, by number. */
  private readonly apart: ReadonlyMap<number, string>;

  constructor(views: readonly (readonly SharedView[])[]) {
    this.apart = new Map(
      views.flat().flatMap(({ address, name }) => (address < 0 && name !== null ? [[address, name]] : [])),
    );
    // What the user named comes first, then what is smallest; the sort is stable: then the first thread.
    this.views = views
      .flat()
      .filter(({ address, name }) => address >= 0 && name !== null)
      .sort((a, b) => Number(b.named) - Number(a.named) || a.length * a.width - b.length * b.width);
  }

  /** `balance[3]`, or `balance` where the view has just one element. */
  of(cell: number): string {
    if (cell < 0) return this.apart.get(cell) ?? `memory[${cell}]`;
    const address = addressOf(cell);
    const holds = (each: SharedView): boolean => {
      const offset = address - each.address;
      return offset >= 0 && offset < each.length * each.width && offset % each.width === 0;
    };
    const view =
      this.views.find((each) => each.width === widthOf(cell) && holds(each)) ?? this.views.find(holds);
    if (!view) return `memory[${address}]`;
    return view.length === 1 ? view.name! : `${view.name}[${(address - view.address) / view.width}]`;
  }
}

/** Makes names unique: the second of a name is `name#2`. */
function distinct(names: readonly string[]): string[] {
  const count = new Map<string, number>();
  return names.map((name) => {
    const nth = (count.get(name) ?? 0) + 1;
    count.set(name, nth);
    return nth === 1 ? name : `${name}#${nth}`;
  });
}

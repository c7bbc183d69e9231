/**
 * What a failure depends on: what the failing statement looked at, and, followed backwards from its last write, what the writer had
 * read before it. A lock, a counter or a state that the same turns touch is farther away, or not there at all.
 */
import { EventKind, type Trace } from '../data/trace.ts';
import { transactions } from './transactions.ts';

/** So many writes are followed back, and so many events before each. */
const MOST_WRITES = 200;
const WINDOW = 5000;
/** What is as far away explains hardly more than what is not there. */
const FARTHEST = 3;
/** Read by the check beside what the failing statement is about. */
const BESIDE = 2;

interface LookedAt {
  /** What was written before this time. */
  readonly read: number;
  readonly entity: number;
}

interface Looked extends LookedAt {
  readonly distance: number;
  readonly hop: number;
}

/** What was followed back from a failure. */
export interface Slice {
  /** By entity, how many writes lie between it and the failing statement. */
  readonly distances: ReadonlyMap<string, number>;
  /** By event, over how many writes it was come to, that of another writer of the same entity included. */
  readonly hops: ReadonlyMap<number, number>;
  /** So many writes were followed. */
  readonly writes: number;
}

/**
 * The backward slice of a failure. `statement`: the text of what failed, where that is known. What it looks at may come of a call that
 * the body waited for, and be written by nobody: then the slice is that of all that the body looked at.
 */
export function sliceOf(trace: Trace, stack: string, statement: string | null): Slice {
  const reads = firstReads(trace, stack, statement, endOf(trace));
  const slice = followed(trace, reads);
  return slice.writes > 0 ? slice : followed(trace, [...reads, ...lastLooks(trace)]);
}

export const distances = (...failed: Parameters<typeof sliceOf>): ReadonlyMap<string, number> =>
  sliceOf(...failed).distances;

/**
 * The same of a run that passed, for what may fail in another order: what the body of the test looks at, most of all at its end,
 * by itself or in what it calls and waits for.
 */
export const judgedBy = (trace: Trace): ReadonlyMap<string, number> =>
  followed(trace, lastLooks(trace)).distances;

function lastLooks(trace: Trace): Looked[] {
  const { kind, object, activation } = trace.events;
  const { strandOf } = transactions(trace.activations);
  const isRoot = (id: number): boolean => trace.activations[id]?.kind === 'root';
  const isBody = (id: number): boolean => {
    const strand = trace.activations[strandOf(id)];
    return strand !== undefined && (isRoot(strand.id) || (strand.kind === 'sync' && isRoot(strand.parent)));
  };
  /** By entity, the last look at it. */
  const looked = new Map<number, Looked>();
  // What nobody is known to have asked for is told of the body, too: it has asked only for what is read once it has gone on.
  let reads: Looked[] = [];
  let distance = 0;
  for (let event = endOf(trace) - 1; event >= 0; event--) {
    const isOwn = isBody(activation[event] as number);
    const entity = object[event] as number;
    if (kind[event] === EventKind.Turn && looked.size > 0) distance = BESIDE;
    else if (kind[event] === EventKind.Read && isOwn) reads.push({ read: event, entity, distance, hop: 0 });
    else if (kind[event] === EventKind.Job) {
      if (isOwn) for (const one of reads) if (!looked.has(one.entity)) looked.set(one.entity, one);
      reads = [];
    }
  }
  return [...looked.values()];
}

/** Points for what a verdict depends on, by distance. */
const NEARNESS = [4, 2, 1];

export const nearness =
  (far: ReadonlyMap<string, number>) =>
  (entity: string): number =>
    NEARNESS[far.get(entity) ?? NEARNESS.length] ?? 0;

const endOf = ({ events: { length }, settled }: Trace): number => Math.min(length, settled ?? length);

function followed(trace: Trace, looked: readonly Looked[]): Slice {
  const { kind, object, activation } = trace.events;
  const { within } = transactions(trace.activations);
  const writesOf = writesByEntity(trace);
  const found = new Map<string, number>();
  const hops = new Map<number, number>();
  const writes = new Set<number>();
  let open = looked;
  while (open.length > 0 && writes.size < MOST_WRITES) {
    const next: Looked[] = [];
    for (const { read, entity, distance, hop } of open.toSorted((a, b) => a.distance - b.distance)) {
      const name = trace.entities[entity]?.name ?? '';
      if (distance < (found.get(name) ?? Number.POSITIVE_INFINITY)) found.set(name, distance);
      if (object[read] === entity && !hops.has(read)) hops.set(read, hop);
      if (distance >= FARTHEST) continue;
      const write = writesOf.get(entity)?.findLast((event) => event < read);
      if (write === undefined || writes.has(write) || writes.size >= MOST_WRITES) continue;
      writes.add(write);
      hops.set(write, hop);
      const writer = activation[write] as number;
      const isRoot = trace.activations[writer]?.kind === 'root';
      const seen = new Set<number>([entity]);
      for (let event = write - 1; event >= Math.max(0, write - WINDOW); event--) {
        if (kind[event] !== EventKind.Read) continue;
        const own = activation[event] as number;
        if (own !== writer && (isRoot || !within(own, writer))) continue;
        const other = object[event] as number;
        // What it had read of the same entity is what another writer left there.
        if (other === entity) next.push({ read: event, entity, distance, hop: hop + 1 });
        else if (!seen.has(other))
          next.push({ read: event, entity: other, distance: distance + 1, hop: hop + 1 });
        seen.add(other);
      }
    }
    open = next;
  }
  return { distances: found, hops, writes: writes.size };
}

/** Their events, in order. */
function writesByEntity({ events: { kind, object, length } }: Trace): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (let event = 0; event < length; event++) {
    if (kind[event] !== EventKind.Write) continue;
    const entity = object[event] as number;
    const known = found.get(entity);
    if (known) known.push(event);
    else found.set(entity, [event]);
  }
  return found;
}

/**
 * What the failing statement looked at: what its line reads, and what has a name that stands in it, whoever read that (the check of a
 * harness is not recorded). Where nothing tells that, what the body of the test read in the turn that failed.
 */
function firstReads(trace: Trace, stack: string, statement: string | null, end: number): Looked[] {
  const { kind, object, site, activation } = trace.events;
  const isIn = (event: number): boolean => {
    const at = trace.sites[site[event] as number];
    return at !== undefined && stack.includes(`/${at.file}:${at.line}:`);
  };
  const isElsewhere = (event: number): boolean =>
    !stack.includes(`/${trace.sites[site[event] as number]?.file}:`);
  const words = new Set(statement?.match(WORD));
  const seen: LookedAt[] = [];
  for (const { id, name } of trace.entities) {
    const [word = ''] = /[#:]([\p{L}_$][\p{L}\p{N}_$]*)$/u.exec(name)?.slice(1) ?? [];
    const read = words.has(word)
      ? lastBefore(end, (event) => object[event] === id && isAccess(kind[event]))
      : -1;
    if (read >= 0) seen.push({ read: read + 1, entity: id });
  }
  const beside: LookedAt[] = [];
  // What the body read in other files comes of the line before it: of a getter there, or a function that it calls.
  let within: LookedAt[] = [];
  for (let event = end - 1; event >= 0; event--) {
    if (kind[event] === EventKind.Turn && seen.length + beside.length + within.length > 0) break;
    if (kind[event] !== EventKind.Read) continue;
    const look = { read: event, entity: object[event] as number };
    const by = activation[event] as number;
    const isRoot = trace.activations[by]?.kind === 'root';
    if (isElsewhere(event) && isOfBody(trace, by)) within.push(look);
    else if (isIn(event) || isRoot) {
      (isIn(event) ? seen : beside).push(look, ...within);
      within = [];
    }
  }
  beside.push(...within);
  const far = seen.length > 0 ? BESIDE : 0;
  return [
    ...seen.map((look) => ({ ...look, distance: 0, hop: 0 })),
    ...beside.map((look) => ({ ...look, distance: far, hop: 0 })),
  ];
}

/** The body of the test, or what it calls and does not wait for. */
function isOfBody(trace: Trace, id: number): boolean {
  const activation = trace.activations[id];
  return activation?.kind === 'root' || (activation?.kind === 'sync' && isOfBody(trace, activation.parent));
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

const isAccess = (kind: number | undefined): boolean => kind === EventKind.Read || kind === EventKind.Write;

function lastBefore(event: number, isIt: (event: number) => boolean): number {
  let at = event - 1;
  while (at >= 0 && !isIt(at)) at -= 1;
  return at;
}

/** How soon a schedule is tried: what makes a triple likely to be a bug that matters, with the reasons. */
import type { AccessPoint, CutPoint, Shape } from '../data/prediction.ts';
import { type Entity, EventKind, type Trace } from '../data/trace.ts';
import type { Candidate } from './candidates.ts';
import { hostSteps } from './host-steps.ts';

/** What an order asks for: the virtual clock at its end (ms), and the steps moved against the observed order. */
export interface Cost {
  readonly clock: number;
  readonly moves: number;
}
export const FREE: Cost = { clock: 0, moves: 0 };

export interface Ranked {
  readonly score: number;
  readonly reasons: readonly string[];
}

/** Points and reason of each shape. */
export const SHAPES: Readonly<Record<Shape, readonly [number, string]>> = {
  RWW: [3, 'read, then written by both'],
  WWR: [2, 'written, then read back'],
  RWR: [1, 'read twice around a write'],
  WRW: [1, 'read between two writes'],
  WWW: [1, 'written between two writes'],
  RRW: [0, 'read before what it waited for'],
};

/** Steps of the host that carry content; the others of one call open, measure and close. */
const DATA = new Set(['fs.read', 'fs.write']);

/** Every path operation touches its folder: rarely what the program means. */
export const isFolder = (entity: string): boolean => entity.endsWith('(entries)') || entity === 'fs:*';

/**
 * Whether a triple says that a lock file kept somebody out, as it should: who met it tried again at the same place, or it was there
 * between two writes of its holder, and what is in it nobody reads.
 */
export function isKeptOut(
  { entities, events }: Trace,
  { entity, pattern, first, second }: Pick<CutPoint, 'entity' | 'pattern' | 'first' | 'second'>,
): boolean {
  if (!entity.startsWith('fs:') || entity.endsWith(')')) return false;
  // One operation that looks and acts at once has no old answer; two of a package may have one place in the program.
  if (pattern === 'RWW') return first.at === second.at && apiOf(first) === apiOf(second);
  if (pattern !== 'WRW') return false;
  const content = entities.findIndex(({ name }) => name === `${entity} (content)`);
  for (let event = 0; event < events.length; event++)
    if (events.kind[event] === EventKind.Read && events.object[event] === content) return false;
  return true;
}

const apiOf = ({ request }: AccessPoint): string => /[\w.]+(?=#\d+$)/.exec(request ?? '')?.[0] ?? '';

/**
 * Whether nobody looks at what is written there, but for who counts on in one go: a flag that is only set, a statistic. Of the state of
 * the program alone: what files and the like hold others may read.
 */
export function isUnread(trace: Trace, entity: string): boolean {
  const found = trace.entities.find(({ name }) => name === entity);
  if (!found || found.kind === 'resource') return false;
  const { kind, length, object } = trace.events;
  for (let event = 0; event < length; event++)
    if (object[event] === found.id && kind[event] === EventKind.Read && !isUpdate(trace, event)) return false;
  return true;
}

export function rank(trace: Trace, candidate: Candidate, order: Cost): Ranked {
  const reasons: string[] = [];
  let score = 0;
  const add = (points: number, reason: string): void => {
    score += points;
    reasons.push(`${reason} (${points > 0 ? '+' : ''}${points})`);
  };
  const { first, remote, second, pattern, entity } = candidate;
  const siteOf = (event: number): number => trace.events.site[event] as number;
  const fn = (event: number): string => {
    const site = trace.sites[siteOf(event)];
    return site ? `${site.file}:${site.fn}` : '';
  };
  add(SHAPES[pattern][0], SHAPES[pattern][1]);
  if (fn(first) !== '' && fn(first) === fn(remote)) add(2, 'one function run by two tasks');
  if (siteOf(remote) === siteOf(second) || siteOf(remote) === siteOf(first))
    add(1, 'same statement in both tasks');
  const { name, kind } = trace.entities[entity] as Entity;
  if (kind !== 'resource' && [first, remote, second].every((event) => isOracle(trace, siteOf(event))))
    add(-2, 'kept by the test itself');
  else if (kind !== 'resource') add(1, 'state of the program itself');
  else if (isFolder(name)) add(-4, 'a folder that others pass through');
  if (name.endsWith('(entries)') && pattern === 'WWW') add(-4, 'names come and go beside each other');
  const data = [first, remote, second].filter((event) => DATA.has(hostSteps(trace).get(event) ?? '')).length;
  if (data > 0) add(data, 'moves the content itself');
  if (order.clock > 0) add(-Math.min(3, Math.ceil(order.clock / 200)), 'needs time to pass');
  if (order.moves > 1) add(-Math.min(2, Math.round(order.moves / 4)), 'many moves');
  if ([first, remote, second].every((event) => isUpdate(trace, event)) && second !== first + 1)
    add(-4, 'each counts on in one go');
  if (readToWrite(trace, second)) add(-2, 'reads only in order to write');
  if (kind !== 'resource' && scratches(trace).has(entity)) add(-4, 'written anew before each look');
  const span = second - first;
  if (span < 30) add(1, 'accesses close together');
  return { score, reasons };
}

/**
 * Whether a place is in the file of the test's own body, of a program of several files: what such a file keeps is
 * mostly there to judge (`calls += 1`), and tells less of a defect than what the tested code keeps.
 */
function isOracle(trace: Trace, site: number): boolean {
  const file = trace.sites[site]?.file;
  return file !== undefined && file === testFileOf(trace);
}

const testFiles = new WeakMap<Trace, string | null>();

/** The file in which the body of the test first did something; null where it is the only file. */
function testFileOf(trace: Trace): string | null {
  const known = testFiles.get(trace);
  if (known !== undefined) return known;
  const { activation, site, length } = trace.events;
  let file: string | null = null;
  for (let event = 0; event < length && file === null; event++)
    if (trace.activations[activation[event] as number]?.kind === 'root')
      file = trace.sites[site[event] as number]?.file ?? null;
  if (trace.sites.every((other) => other.file === file)) file = null;
  testFiles.set(trace, file);
  return file;
}

/** Half of a statement that reads and writes an entity with nothing in between: `n++`. */
export function isUpdate({ events, sites }: Trace, event: number): boolean {
  const isRead = events.kind[event] === EventKind.Read;
  const other = isRead ? event + 1 : event - 1;
  // The two halves of `n += m` may be points of their own at one place.
  const placeOf = (of: number): string => {
    const { file, line, column } = sites[events.site[of] as number] ?? { file: '', line: of, column: 0 };
    return `${file}:${line}:${column}`;
  };
  return (
    events.kind[other] === (isRead ? EventKind.Write : EventKind.Read) &&
    events.object[other] === events.object[event] &&
    events.activation[other] === events.activation[event] &&
    placeOf(other) === placeOf(event)
  );
}

const scratch = new WeakMap<Trace, ReadonlySet<number>>();

/** Entities that carry nothing from turn to turn: who reads one has written it in that turn. */
function scratches(trace: Trace): ReadonlySet<number> {
  const known = scratch.get(trace);
  if (known) return known;
  const { kind, object, activation, length } = trace.events;
  const read = new Set<number>();
  const carried = new Set<number>();
  /** Who wrote it in this turn. */
  const writer = new Map<number, number>();
  for (let event = 0; event < length; event++) {
    const entity = object[event] as number;
    if (kind[event] === EventKind.Turn) writer.clear();
    else if (kind[event] === EventKind.Write) writer.set(entity, activation[event] as number);
    else if (kind[event] === EventKind.Read) {
      read.add(entity);
      if (writer.get(entity) !== activation[event]) carried.add(entity);
    }
  }
  const found = read.difference(carried);
  scratch.set(trace, found);
  return found;
}

/** One operation of the host that reads an entity and writes it at once: opening a file creates it. */
function readToWrite(trace: Trace, event: number): boolean {
  const { events } = trace;
  const next = event + 1;
  return (
    events.kind[event] === EventKind.Read &&
    trace.entities[events.object[event] as number]?.kind === 'resource' &&
    events.kind[next] === EventKind.Write &&
    events.object[next] === events.object[event]
  );
}

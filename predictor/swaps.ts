/**
 * Tests in which nothing that was seen depends on the order, and which of their steps may change places all the same.
 *
 * Where each two accesses of one entity, of which one writes, have one order by their causes, every order has each read find what it
 * found in the recorded run: by induction along the order, all that the turn of a step reads was written by what precedes it in each
 * order, so it does what it did, and asks for what it asked for. What is not seen is beyond this: packages that are not looked into,
 * where what is sent is cut into pieces, and turns that the recorded run did not come to. So the steps that may change
 * places are named with the code behind them: a test of the same ones stands for others.
 */
import type { Swap, Swaps } from '../data/prediction.ts';
import { EventKind, type Trace } from '../data/trace.ts';
import { type Causality, causality } from './causality.ts';
import { buildProgram, type Program } from './program.ts';

/** Pairs are looked for among so many requests. */
const MOST_REQUESTS = 200;
/** A recorded run is over before these are answered, as a rule; of anything else that it did not come to nothing is known. */
const ENDS: ReadonlySet<string> = new Set(['fs.close', 'net.close', 'net.read', 'net.shutdown']);

/**
 * Null: something seen depends on the order, or is not known.
 * @param maxStallMs The longest delay of an answer, ms: what fires later never comes first.
 */
export function swaps(trace: Trace, maxStallMs: number): Swaps | null {
  if (!isWhole(trace) || trace.requests.length > MOST_REQUESTS) return null;
  const program = buildProgram(trace);
  const never = takenBackAtOnce(trace);
  if (!hasKnownCauses(program) || !isKnown(program, never, maxStallMs)) return null;
  const order = causality(program);
  return isOrdered(trace, order) ? pairs(program, never, order, maxStallMs) : null;
}

const isWhole = ({ children, saturated, ungated }: Trace): boolean =>
  saturated.length === 0 && Object.keys(ungated).length === 0 && (children ?? []).length === 0;

/** What comes first of several, and who has a lock, is decided by the order. */
function hasKnownCauses({ conditions, jobs, trace }: Program): boolean {
  const isOpen = (at: number): boolean => {
    const condition = conditions[at];
    if (condition?.kind === 'all' || condition?.kind === 'any')
      return (condition.kind === 'any' && condition.of.length > 1) || condition.of.some(isOpen);
    return condition === undefined || condition.kind === 'lock' || condition.kind === 'unknown';
  };
  return trace.locks.length === 0 && !jobs.some(({ condition }) => isOpen(condition));
}

/** Nothing can come in another order that did not come in this one, but for ends. */
function isKnown({ requests, trace }: Program, never: ReadonlySet<number>, maxStallMs: number): boolean {
  return requests.every(
    ({ delivered, kind, delay, id }) =>
      delivered ||
      never.has(id) ||
      (kind === 'timer' ? delay > maxStallMs : ENDS.has(trace.requests[id]!.api)),
  );
}

/** Requests that were taken back in the turn that asked for them: they come in no order. */
function takenBackAtOnce({ events: { kind, object, length }, requests }: Trace): ReadonlySet<number> {
  const found = new Set<number>();
  for (let event = 0; event < length; event++) {
    if (kind[event] !== EventKind.Issue) continue;
    const { takenBack } = requests[object[event] as number]!;
    const isTurn = (each: number): boolean => each === EventKind.Turn;
    if (takenBack >= event && !kind.subarray(event, takenBack).some(isTurn))
      found.add(object[event] as number);
  }
  return found;
}

/** Each two accesses of one entity, of which one writes, come in this order in every one. */
function isOrdered({ events: { kind, object, length } }: Trace, { before }: Causality): boolean {
  const lastWrite = new Map<number, number>();
  const readSince = new Map<number, number[]>();
  for (let event = 0; event < length; event++) {
    const isWrite = kind[event] === EventKind.Write;
    if (!isWrite && kind[event] !== EventKind.Read) continue;
    const entity = object[event] as number;
    const write = lastWrite.get(entity);
    if (write !== undefined && !before(write, event)) return false;
    const reads = readSince.get(entity) ?? [];
    if (isWrite) {
      if (!reads.every((read) => before(read, event))) return false;
      lastWrite.set(entity, event);
      readSince.set(entity, []);
    } else {
      readSince.set(entity, [...reads, event]);
    }
  }
  return true;
}

/** Requests of which either may be answered first, two by two, with what tells them from others. */
function pairs(
  program: Program,
  never: ReadonlySet<number>,
  { precedes }: Causality,
  maxStallMs: number,
): Swaps {
  const { jobs, requests, trace } = program;
  const turns = turnsOf(trace);
  const nodeOf = (id: number): number => jobs.length + id;
  const isBefore = (a: number, b: number): boolean => {
    const { issuedBy } = requests[b]!;
    return precedes(nodeOf(a), nodeOf(b)) || (issuedBy >= 0 && precedes(nodeOf(a), issuedBy));
  };
  const possible = requests.filter(
    ({ delivered, kind, delay, id }) =>
      delivered || (!never.has(id) && (kind !== 'timer' || delay <= maxStallMs)),
  );
  const found = new Map<string, Swap[]>();
  const add = (told: string, swap: Swap): void => {
    const known = found.get(told);
    if (known) known.push(swap);
    else found.set(told, [swap]);
  };
  for (const [at, { id: b }] of possible.entries())
    for (const { id: a } of possible.slice(0, at))
      if (!isBefore(a, b) && !isBefore(b, a))
        for (const told of toldOf(turns[a]!, turns[b]!))
          add(told, [trace.requests[a]!.name, trace.requests[b]!.name]);
  return found;
}

/** What the recorded turn of a request did. */
interface SeenTurn {
  /** The request, whichever of those that are asked for alike. */
  readonly request: string;
  /** Places of accesses. */
  readonly places: Set<string>;
  /** Names of what it read and nothing that was seen has written: somebody else may have. */
  readonly others: Set<string>;
}

/**
 * Two turns of code that was seen are told by all that they do. Where one did nothing that was seen, the other can notice it only
 * by what was not looked into: by that it calls, which the names of both requests tell, or by what it reads.
 */
function toldOf(a: SeenTurn, b: SeenTurn): string[] {
  const both = [a, b].sort((one, other) => (one.request < other.request ? -1 : 1));
  const isSeen = a.places.size > 0 && b.places.size > 0;
  const told = both
    .map(({ request, places }) => (isSeen ? `${request} at ${[...places].sort().join(' ')}` : request))
    .join('\n');
  return [told, ...[...a.others, ...b.others].map((name) => `${told}\n${name}`)];
}

/** `Array@file.ts:12[0]` is told as any element of an array: nobody else knows it by its place. */
const withoutPlace = (name: string): string => name.replace(/@[^#[]*/, '').replace(/\[.*\]$/s, '[]');

/** By request. */
function turnsOf({ entities, events, requests, sites }: Trace): SeenTurn[] {
  const { kind, object, site, length } = events;
  const written = new Set<number>();
  for (let event = 0; event < length; event++)
    if (kind[event] === EventKind.Write) written.add(object[event] as number);
  const turns = requests.map(
    ({ name }): SeenTurn => ({ request: name.replace(/#\d+/g, ''), places: new Set(), others: new Set() }),
  );
  let turn: SeenTurn | undefined;
  // What the host does for a request stands in no turn.
  let isEffect = false;
  for (let event = 0; event < length; event++) {
    const of = kind[event];
    if (of === EventKind.Turn) turn = turns[object[event] as number];
    if (of !== EventKind.Read && of !== EventKind.Write) isEffect = of === EventKind.Effect;
    else if (turn && !isEffect) {
      const { file, line, column } = sites[site[event] as number] ?? { file: '', line: 0, column: 0 };
      turn.places.add(`${file}:${line}:${column}`);
      const entity = object[event] as number;
      if (!written.has(entity)) turn.others.add(withoutPlace(entities[entity]!.name));
    }
  }
  return turns;
}

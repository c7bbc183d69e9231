/**
 * The timers by which the body of a test waits a fixed time, and what goes on when one of them fires: whether it only looks
 * and cleans up, or acts on what other operations use. Timers inside operations stand for the latency of I/O.
 */
import { isBesideTest } from '../data/test-files.ts';
import {
  type Activation,
  BEFORE_RUN,
  EventKind,
  type Request,
  type Site,
  type Trace,
} from '../data/trace.ts';
import { trunkOf } from './transactions.ts';

/** Calls by which a test puts away what it has used. */
const CLEANS = /^(?:close|end|stop|quit|shutdown|teardown|tearDown|cleanup|cleanUp|disconnect|terminate)$/;
/** Requests that remove files. */
const REMOVES = /^fs\.(?:rm|rmdir|unlink|rmSync|rmdirSync|unlinkSync)$/;

/** What calls back when a promise is settled. */
const REACTIONS: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

/** What one run says of the body's timers. */
export interface OwnTimers {
  /** Names of the timers that the body of the test waits for, in the order of their making. */
  readonly names: ReadonlySet<string>;
  /** Names of the ticks of its intervals: the pace at which the test does things, and no operation's latency. */
  readonly ticks: ReadonlySet<string>;
  /** Those of {@link names} by which a loop of the body waits between its rounds: set again and again at one place, one after the other. */
  readonly rounds: ReadonlySet<string>;
  /** The timer in whose turn the run was decided. */
  readonly last: Request | null;
  /** The same, where no operation set it: the body did, or a function that the host calls. */
  readonly decisive: Request | null;
  /** What the turn of a timer, and all that follows from it, does. */
  after(timer: string): Aftermath;
  /** Whether an operation came to a place, as `wakes` has it. */
  reaches(place: string): boolean;
}

interface Aftermath {
  /** It fired. */
  readonly fired: boolean;
  /** Entities that it writes, removals and what closing calls write left out. */
  readonly writes: ReadonlySet<string>;
  /** Entities that removals and closing calls write. */
  readonly cleans: ReadonlySet<string>;
  /** Paths of the operations that it calls, and the entities that each of them writes by itself, as in {@link writes}. */
  readonly operations: ReadonlyMap<string, ReadonlySet<string>>;
  /** It asks others over the network, or by messages: what they do then is not seen, or a server of the program keeps something. */
  readonly tells: boolean;
  /** Where operations that had begun before go on in its turn, which lets them: their paths with the places. */
  readonly wakes: ReadonlySet<string>;
  /** What of the body had begun before and goes on in its turn, by its path. */
  readonly resumes: ReadonlySet<string>;
  /** Entities that others use while the timer runs, and behind it: operations, and requests of the body that were under way. */
  readonly others: ReadonlySet<string>;
}

/** `file`: of the test. */
export function ownTimers(trace: Trace, file: string): OwnTimers {
  const isProduct = (site: Site): boolean => !isBesideTest(site.file, file);
  const isOfProduct = setUpByProduct(trace, isProduct);
  const main = mainOf(trace, isProduct);
  // What is written nowhere in what is looked into is nobody's own.
  const own = trace.requests.filter(
    (request) =>
      request.kind === 'timer' && request.site >= 0 && main.has(request.activation) && !isOfProduct(request),
  );
  const named = (repeats: boolean) =>
    new Set(own.filter(({ api }) => (api === 'setInterval') === repeats).map(({ name }) => name));
  const sleeps = own.filter(({ api }) => api !== 'setInterval');
  const overlap = overlapping(trace);
  const again = sleeps.filter((one) =>
    sleeps.some((s) => s.site === one.site && s.name !== one.name && !overlap(s, one)),
  );
  const byName = new Map(trace.requests.map((request) => [request.name, request]));
  const last = lastTimer(trace);
  return {
    names: named(false),
    ticks: named(true),
    rounds: new Set(again.map(({ name }) => name)),
    last,
    decisive: last && isOfBody(trace, main, last) ? last : null,
    after: (timer) => aftermath(trace, main, byName.get(timer)),
    reaches: (place) => trace.events.activation.some((_, i) => placeIn(trace, i) === place),
  };
}

/** Whether one of two timers was set before the other had fired. */
function overlapping({ events }: Trace): (a: Request, b: Request) => boolean {
  const set = new Map<number, number>();
  const fired = new Map<number, number>();
  for (let i = 0; i < events.length; i++) {
    const request = events.object[i] as number;
    if (events.kind[i] === EventKind.Issue) set.set(request, i);
    if (events.kind[i] === EventKind.Turn) fired.set(request, i);
  }
  const isBefore = (a: Request, b: Request): boolean =>
    (fired.get(a.id) ?? Number.POSITIVE_INFINITY) < (set.get(b.id) ?? 0);
  return (a, b) => !isBefore(a, b) && !isBefore(b, a);
}

function lastTimer({ events, requests, settled = 0 }: Trace): Request | null {
  const turn = events.kind.lastIndexOf(EventKind.Turn, settled - 1);
  const request = turn < 0 ? undefined : requests[events.object[turn] as number];
  return request?.kind === 'timer' ? request : null;
}

function isOfBody({ activations }: Trace, main: ReadonlySet<number>, { activation }: Request): boolean {
  let at = activations[activation];
  while (at?.kind === 'callback' && !main.has(at.id)) at = activations[at.parent];
  return at !== undefined && main.has(at.id);
}

/** What the functions of a run were seen to do. */
interface Doings {
  /** Those that do something by themselves. */
  readonly busy: Set<number>;
  /** Those that read options which they are given: they wait only where what their timers call back does nothing. */
  readonly given: ReadonlySet<number>;
  /** The timer in whose turn each began. */
  readonly beganIn: ReadonlyMap<number, Request | null>;
  /** Requests that were not asked for by the function that they are told of: it had returned. */
  readonly left: ReadonlySet<number>;
}

function doingsIn(trace: Trace): Doings {
  const { activations, events, requests } = trace;
  const [busy, given, left] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const beganIn = new Map<number, Request | null>();
  const turnOf = new Map<number, number>();
  const { isSeen, isWritten } = usesIn(trace);
  let turn: Request | null = null;
  let turns = 0;
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    const object = events.object[i] as number;
    const activation = events.activation[i] as number;
    if (kind === EventKind.Turn) {
      turn = requests[object] ?? null;
      turns += 1;
    }
    if (!beganIn.has(activation)) {
      beganIn.set(activation, turn?.kind === 'timer' ? turn : null);
      turnOf.set(activation, turns);
    }
    // What Node does in ticks it does in the name of who set the timer that fired.
    const isOver = activations[activation]?.kind === 'sync' && turnOf.get(activation) !== turns;
    if (isOver) {
      if (kind === EventKind.Issue) left.add(object);
    } else if (kind === EventKind.Write || kind === EventKind.Read) {
      if (isSeen(object)) busy.add(activation);
      else if (!isWritten(object)) given.add(activation);
    } else if (kind === EventKind.Issue && requests[object]?.kind !== 'timer') busy.add(activation);
  }
  return { busy, given, beganIn, left };
}

/**
 * What the code under test has set before the run, for a hook or as it was loaded: no function of the run tells of whom it is, only
 * where it was set.
 */
function setUpByProduct({ sites }: Trace, isProduct: (site: Site) => boolean): (request: Request) => boolean {
  const own = sites.map(isProduct);
  return ({ name, site }) => name.startsWith(BEFORE_RUN) && own[site] === true;
}

/**
 * The body of the test, functions of it that only wait, and what its own timers call back, or promises in their turns.
 * `isProduct`: a place is in the code under test.
 */
export function mainOf(trace: Trace, isProduct: (site: Site) => boolean): ReadonlySet<number> {
  const { activations, requests } = trace;
  const main = new Set(trunkOf(activations));
  const { busy, given, beganIn, left } = doingsIn(trace);
  const isOfProduct = setUpByProduct(trace, isProduct);
  const isTimed = ({ cause }: Activation): boolean => {
    const request = requests[cause];
    return request?.kind === 'timer' && !isOfProduct(request);
  };
  for (const a of activations)
    if (a.kind === 'callback' && isTimed(a) && busy.has(a.id) && given.has(a.parent)) busy.add(a.parent);
  // Parents have smaller numbers than what they call: what calls an operation is one.
  for (const a of activations.toReversed())
    if ((busy.has(a.id) || a.kind === 'task' || a.kind === 'callback') && !isTimed(a) && !left.has(a.cause))
      busy.add(a.parent);
  for (const a of activations) {
    const timer = beganIn.get(a.id);
    const isReaction = timer != null && main.has(timer.activation) && REACTIONS.has(a.name);
    const goesOn = a.kind === 'callback' ? isTimed(a) || isReaction : a.kind !== 'task' && !busy.has(a.id);
    if (goesOn && main.has(a.parent)) main.add(a.id);
  }
  return main;
}

/**
 * Whether somebody else may see what is done to an entity, and whether somebody writes it. What one function alone reads are options that
 * it is given; and nobody else sees a variable that it alone writes, such as the timer that it would clear. Objects may be handed on.
 */
function usesIn({ entities, events }: Trace) {
  const users = new Map<number, number>();
  const shared = new Set<number>();
  const written = new Set<number>();
  for (let i = 0; i < events.length; i++) {
    const [kind, entity, user] = [events.kind[i], events.object[i] as number, events.activation[i] as number];
    if (kind !== EventKind.Read && kind !== EventKind.Write) continue;
    if (kind === EventKind.Write) written.add(entity);
    if ((users.get(entity) ?? user) !== user) shared.add(entity);
    users.set(entity, user);
  }
  const isVariable = (entity: number): boolean => !entities[entity]?.name.includes('#');
  return {
    isSeen: (entity: number): boolean => shared.has(entity) || (written.has(entity) && !isVariable(entity)),
    isWritten: (entity: number): boolean => written.has(entity),
  };
}

/** Where an operation is at an event: its path with the place. */
function placeIn({ events, activations, sites }: Trace, i: number): string {
  const { file, line, column } = sites[events.site[i] as number] ?? { file: '', line: 0, column: 0 };
  return `${activations[events.activation[i] as number]?.path} ${file}:${line}:${column}`;
}

/** Of each event whether it follows from the turn of a timer: it is in it, or in what that and its like ask the host for. */
export function followsOf({ events, requests }: Trace, timer: Request | undefined): readonly boolean[] {
  const follows: boolean[] = [];
  const issued = new Set<number>();
  let inTurn = false;
  /** The request whose effect the accesses that come now are; null: those of the turn. */
  let effect: Request | null = null;
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    const request = requests[events.object[i] as number] ?? null;
    const isAccess = kind === EventKind.Read || kind === EventKind.Write;
    if (kind === EventKind.Effect) effect = request;
    else if (!isAccess) effect = null;
    if (kind === EventKind.Turn) inTurn = request !== null && (request === timer || issued.has(request.id));
    if (kind === EventKind.Issue && inTurn && request) issued.add(request.id);
    follows.push(effect ? issued.has(effect.id) : inTurn);
  }
  return follows;
}

function aftermath(trace: Trace, main: ReadonlySet<number>, timer: Request | undefined): Aftermath {
  const { events, requests, entities, activations } = trace;
  const [writes, cleans, others] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const operations = new Map<string, Set<string>>();
  const wakes = new Set<string>();
  const resumes = new Set<string>();
  const follows = followsOf(trace, timer);
  const isMadeAnew = madeAnew(trace, follows);
  const isHere = serversIn(trace);
  /** Operations that have begun, and those of them that have gone on in the timer's own turn. */
  const begun = new Set<number>();
  let isOwnTurn = false;
  let tells = false;
  /** It asks a server of the program, of which all that follows is seen: that only looks where it keeps nothing of it. */
  let asksHere = false;
  let fired = false;
  let isSet = false;
  /** In the turn that runs. */
  let isSetNow = false;
  let effect: Request | null = null;
  for (let i = 0; timer && i < (trace.settled ?? events.length); i++) {
    const kind = events.kind[i];
    const activation = events.activation[i] as number;
    const request = requests[events.object[i] as number];
    if (!isOwnTurn) begun.add(activation);
    if (kind === EventKind.Turn) {
      fired ||= request === timer;
      isOwnTurn = request === timer;
      isSetNow = false;
      effect = null;
    } else if (kind === EventKind.Effect) effect = request ?? null;
    else if (kind === EventKind.Issue && request) {
      effect = null;
      if (request === timer) isSet = isSetNow = true;
      if (follows[i] && request.kind === 'external' && !CLEANS.test(lastName(request.api))) {
        tells ||= !isHere(request);
        asksHere = true;
      }
    } else if (kind === EventKind.Read || kind === EventKind.Write) {
      const entity = entities[events.object[i] as number]?.name ?? '';
      if (!follows[i]) {
        // What the body itself does in the turn in which it sets the timer comes before it in every order.
        if (isSet && (effect !== null || !main.has(activation) || !isSetNow)) others.add(entity);
        continue;
      }
      const path = main.has(activation) ? null : (activations[activation]?.path ?? '');
      if (path !== null && !operations.has(path)) operations.set(path, new Set());
      if (isOwnTurn && !effect && !main.has(activation) && begun.delete(activation))
        wakes.add(placeIn(trace, i));
      if (kind === EventKind.Read || isMadeAnew(events.object[i] as number)) continue;
      const isCleaning = (effect && REMOVES.test(effect.api)) || closes(trace, main, activation);
      (isCleaning ? cleans : writes).add(entity);
      if (path !== null && !isCleaning) operations.get(path)!.add(entity);
    } else if (kind === EventKind.Job) {
      effect = null;
      if (isOwnTurn && main.has(activation) && begun.has(activation))
        resumes.add(activations[activation]?.path ?? '');
    }
  }
  tells ||= asksHere && operations.values().some((written) => written.values().some(isKept));
  return { fired, writes, cleans, operations, tells, wakes, resumes, others };
}

/** Whether the other end of a request is a server of the program. */
function serversIn({ requests }: Trace): (request: Request) => boolean {
  const here = new Set(requests.filter(({ api }) => api === 'net.accept').map(({ what }) => what));
  return ({ api, what }) => api.startsWith('net.') && here.has(what);
}

/** What a server makes for each request, and drops with it. */
const OF_REQUEST =
  /^(?:ServerResponse|IncomingMessage|ClientRequest|Http2Server(?:Request|Response)|Socket|port )\b/;
const isKept = (entity: string): boolean => !OF_REQUEST.test(entity);

/** Whether an entity is of a kind that is made again and again, such as the object that a call returns, and only these events use it. */
function madeAnew(
  { entities, events, settled = events.length }: Trace,
  isOfThese: readonly boolean[],
): (entity: number) => boolean {
  const alike = new Map<string, number>();
  for (const { name } of entities) alike.set(name, (alike.get(name) ?? 0) + 1);
  const elsewhere = new Set<number>();
  for (let i = 0; i < settled; i++) {
    const isAccess = events.kind[i] === EventKind.Read || events.kind[i] === EventKind.Write;
    if (isAccess && !isOfThese[i]) elsewhere.add(events.object[i] as number);
  }
  return (entity) => !elsewhere.has(entity) && (alike.get(entities[entity]?.name ?? '') ?? 0) > 1;
}

const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Whether what the body called was a closing call. */
function closes({ activations }: Trace, main: ReadonlySet<number>, activation: number): boolean {
  for (let at = activations[activation]; at && !main.has(at.id); at = activations[at.parent])
    if (CLEANS.test(lastName(at.name))) return true;
  return false;
}

/**
 * Whether what goes on after the timer in the failing run is no more than looking and, where the failure is no assertion,
 * cleaning up. An operation that looks there and acts in the passing run acts; so does what lets another operation, or the body, go
 * on there, which waits in vain in the failing run: the wake-up is lost.
 */
export function onlyLooks(
  timer: string,
  failing: OwnTimers,
  passing: OwnTimers,
  isAssertion: boolean,
): boolean {
  const after = failing.after(timer);
  const usual = passing.after(timer);
  if (after.tells) return false;
  const { resumes } = usual;
  if (after.fired && resumes.size > 0 && ![...resumes].some((path) => after.resumes.has(path))) return false;
  const others = new Set([...after.others, ...usual.others]);
  const shared = (entities: ReadonlySet<string>): boolean => [...entities].some((name) => others.has(name));
  if (usual.writes.size > 0 && [...usual.wakes].some((place) => !failing.reaches(place))) return false;
  if (shared(after.writes) || (isAssertion && shared(after.cleans))) return false;
  const acts = (path: string): boolean =>
    [...usual.operations].some(
      ([other, writes]) => (other === path || other.startsWith(`${path}.`)) && shared(writes),
    );
  return ![...after.operations.keys()].some((path) => usual.operations.has(path) && acts(path));
}

/** Two timers of which the later one overtook in the failing run. */
export interface Overtaking {
  readonly early: Request;
  readonly late: Request;
}

/** Timers that fired before one with a shorter delay that was set already and fires first in the passing run. */
export function overtakings(failing: Trace, passing: Trace): Overtaking[] {
  const fired = firings(failing);
  const usual = firings(passing);
  const out: Overtaking[] = [];
  for (const early of failing.requests)
    for (const late of failing.requests) {
      if (early.kind !== 'timer' || late.kind !== 'timer' || early.delay <= late.delay) continue;
      const [a, b] = [fired.get(early.name), fired.get(late.name)];
      if (a?.turn === undefined || !b || b.issued > a.turn || (b.turn ?? Number.POSITIVE_INFINITY) < a.turn)
        continue;
      const [c, d] = [usual.get(early.name)?.turn, usual.get(late.name)?.turn];
      if (d !== undefined && d < (c ?? Number.POSITIVE_INFINITY)) out.push({ early, late });
    }
  return out;
}

function firings({ events, requests }: Trace): Map<string, { issued: number; turn?: number }> {
  const out = new Map<string, { issued: number; turn?: number }>();
  for (let i = 0; i < events.length; i++) {
    const request = requests[events.object[i] as number];
    if (request?.kind !== 'timer') continue;
    if (events.kind[i] === EventKind.Issue) out.set(request.name, { issued: i });
    const known = out.get(request.name);
    if (events.kind[i] === EventKind.Turn && known && known.turn === undefined) known.turn = i;
  }
  return out;
}

import { type Activation, EventKind, type Trace } from '../data/trace.ts';
import { trunkOf } from './transactions.ts';

/** Names that the instrumentation gives to functions passed to these methods. */
export const REACTIONS: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

/** Whose name an activation goes by. */
interface Standing {
  readonly actor: Activation;
  /** An answer of the host has come since, and has called nothing with a name of its own yet. */
  readonly isCalled?: boolean;
  /** There are only answers by now: they go by what the last one calls. */
  readonly isPassedOn?: boolean;
}

/** What names are made of, found once for a trace: a test may have tens of thousands of activations. */
interface Relatives {
  readonly trunk: ReadonlySet<number>;
  /** By their parent, in the order in which they began. */
  readonly children: ReadonlyMap<number, readonly Activation[]>;
  /** In which function activations have first touched something. */
  readonly ranIn: ReadonlyMap<number, string>;
  /** As far as anybody has asked. */
  readonly actors: Map<number, Standing>;
  /** Names of actors. */
  names: Map<number, string> | null;
}

const relatives = new WeakMap<Trace, Relatives>();

function relativesIn(trace: Trace): Relatives {
  let known = relatives.get(trace);
  if (!known) {
    const { activations } = trace;
    const children = Map.groupBy(activations, ({ parent }) => parent);
    known = {
      ...{ trunk: trunkOf(activations), children, ranIn: firstFunctions(trace) },
      ...{ actors: new Map(), names: null },
    };
    relatives.set(trace, known);
  }
  return known;
}

function firstFunctions({ events, sites }: Trace): Map<number, string> {
  const found = new Map<number, string>();
  for (let event = 0; event < events.length; event++) {
    const isAccess = events.kind[event] === EventKind.Read || events.kind[event] === EventKind.Write;
    const activation = events.activation[event] as number;
    const fn = isAccess && !found.has(activation) ? sites[events.site[event] as number]?.fn : undefined;
    if (fn !== undefined) found.set(activation, fn);
  }
  return found;
}

/** The activation that is the task of another one; undefined where it belongs to the body of the test. */
function taskIn(trace: Trace, activation: number): Activation | undefined {
  const { trunk } = relativesIn(trace);
  let at = trace.activations[activation];
  if (!at || trunk.has(at.id)) return undefined;
  while (at.parent >= 0 && !trunk.has(at.parent)) at = trace.activations[at.parent] ?? at;
  return at;
}

/**
 * Whose name an activation goes by: that of its task, or of the function that an answer of the host has called since, as a timer calls
 * `flush` long after `load` is over.
 */
function actorIn(trace: Trace, activation: number): Activation | undefined {
  const { trunk, actors } = relativesIn(trace);
  const path: Activation[] = [];
  for (let at = trace.activations[activation]; at && !trunk.has(at.id); at = trace.activations[at.parent]) {
    path.push(at);
    if (actors.has(at.id)) break;
  }
  let now: Standing | undefined;
  for (const at of path.reverse()) {
    now = actors.get(at.id) ?? standing(trace, at, now);
    actors.set(at.id, now);
  }
  return now?.actor;
}

function standing(trace: Trace, at: Activation, above: Standing | undefined): Standing {
  if (isAnswer(trace, at)) {
    if (isNamed(ownName(trace, at))) return { actor: above?.isPassedOn ? above.actor : at };
    return above && !above.isPassedOn
      ? { actor: above.actor, isCalled: true }
      : { actor: above?.actor ?? at, isPassedOn: true };
  }
  if (above?.isCalled && isNamed(ownName(trace, at))) return { actor: at };
  return { actor: above?.actor ?? at, isCalled: above?.isCalled === true };
}

/** Whether an activation only bears the name of what the host answered: `net.connect`, `setImmediate`. */
const isAnswer = (trace: Trace, { name, cause }: Activation): boolean =>
  name !== '' && trace.requests[cause]?.api === name;

/** Neither a place in the text of another function, nor of no function. */
const isNamed = (name: string): boolean => /^[\w$.#]+$/.test(name);

/** Of what only bears the name of an answer or a reaction, the function that it has called at once; '': it has none. */
function ownName(trace: Trace, at: Activation): string {
  if (at.name && !REACTIONS.has(at.name) && !isAnswer(trace, at)) return at.name;
  return relativesIn(trace).ranIn.get(at.id) ?? '';
}

/**
 * Names of the functions that an activation calls: of an answer of the host, which may only pass on what came, through further
 * ones. What a reaction has asked for calls others later.
 */
function calledBy(trace: Trace, at: Activation): Set<string> {
  const { children } = relativesIn(trace);
  const names = new Set<string>();
  // Of answers that bring one another there may be thousands in a row.
  const left = [at];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const passesOn = isAnswer(trace, next);
    for (const called of children.get(next.id) ?? [])
      if (called.name && !isAnswer(trace, called)) names.add(called.name);
      else if (called.name && passesOn) left.push(called);
  }
  return names;
}

/**
 * What people call an activation. A reaction without a name of its own (`.then(() => deposit())`) is called by what it
 * calls; so is an answer of the host, as a connection by the handler of its requests.
 */
function shownName(trace: Trace, at: Activation): string {
  const own = ownName(trace, at);
  if (own !== '' && own === at.name) return own;
  const [called, ...others] = calledBy(trace, at);
  const isOne = called !== undefined && others.length === 0;
  if (isOne && relativesIn(trace).trunk.has(at.parent)) return called;
  return isNamed(own) ? own : isOne ? called : at.name || '(anonymous)';
}

/**
 * The operation that an activation belongs to, as people see it: `transfer`, or `transfer #2` for the second
 * call of that function; `test` for the body of the test itself.
 */
export function taskName(trace: Trace, activation: number): string {
  const actor = actorIn(trace, activation);
  if (!actor) return 'test';
  const all = relativesIn(trace);
  all.names ??= namesOf(trace);
  return all.names.get(actor.id) ?? actor.name;
}

/** Those of one name are numbered: by their tasks, and within one as they came. */
function namesOf(trace: Trace): Map<number, string> {
  const actors = trace.activations.filter(({ id }) => actorIn(trace, id)?.id === id);
  const names = new Map<number, string>();
  for (const [name, twins] of Map.groupBy(actors, (actor) => shownName(trace, actor))) {
    const ofTask = new Map(twins.map(({ id }) => [id, taskIn(trace, id)?.id ?? id]));
    const sorted = twins.toSorted((a, b) => ofTask.get(a.id)! - ofTask.get(b.id)! || a.id - b.id);
    for (const [nth, { id }] of sorted.entries())
      names.set(id, twins.length > 1 ? `${name} #${nth + 1}` : name);
  }
  return names;
}

/** The stable path of the task of an activation; of the body of the test, that of the activation. */
export function taskPath(trace: Trace, activation: number): string {
  return (taskIn(trace, activation) ?? trace.activations[activation])?.path ?? '';
}

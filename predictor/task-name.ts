import type { Activation, Trace } from '../data/trace.ts';
import { trunkOf } from './transactions.ts';

/** Names that the instrumentation gives to functions passed to these methods. */
export const REACTIONS: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

/** What names are made of, found once for a trace: a test may have tens of thousands of activations. */
interface Relatives {
  readonly trunk: ReadonlySet<number>;
  /** By their parent, in the order in which they began. */
  readonly children: ReadonlyMap<number, readonly Activation[]>;
  /** Names of tasks, as far as anybody has asked. */
  readonly names: Map<number, string>;
}

const relatives = new WeakMap<Trace, Relatives>();

function relativesIn(trace: Trace): Relatives {
  let known = relatives.get(trace);
  if (!known) {
    const { activations } = trace;
    const children = Map.groupBy(activations, ({ parent }) => parent);
    known = { trunk: trunkOf(activations), children, names: new Map() };
    relatives.set(trace, known);
  }
  return known;
}

/** The activation that is the task of another one; undefined where it belongs to the body of the test. */
function taskIn(trace: Trace, activation: number): Trace['activations'][number] | undefined {
  const { trunk } = relativesIn(trace);
  let at = trace.activations[activation];
  if (!at || trunk.has(at.id)) return undefined;
  while (at.parent >= 0 && !trunk.has(at.parent)) at = trace.activations[at.parent] ?? at;
  return at;
}

/** Whether an activation only bears the name of what the host answered: `net.connect`, `setImmediate`. */
const isAnswer = (trace: Trace, { name, cause }: Activation): boolean =>
  name !== '' && trace.requests[cause]?.api === name;

/** Names of the functions that an activation calls, through answers of the host where they only pass on what came. */
function calledBy(trace: Trace, id: number): Set<string> {
  const { children } = relativesIn(trace);
  const names = new Set<string>();
  // Of answers that bring one another there may be thousands in a row.
  const left = [id];
  for (let next = left.pop(); next !== undefined; next = left.pop())
    for (const called of children.get(next) ?? [])
      if (called.name && isAnswer(trace, called)) left.push(called.id);
      else if (called.name) names.add(called.name);
  return names;
}

/**
 * What people call an activation. A reaction without a name of its own (`.then(() => deposit())`) is called by what it
 * calls; so is an answer of the host, as a connection by the handler of its requests.
 */
function shownName(trace: Trace, at: Activation): string {
  if (at.name && !REACTIONS.has(at.name) && !isAnswer(trace, at)) return at.name;
  const [called, ...others] = calledBy(trace, at.id);
  return called !== undefined && others.length === 0 ? called : at.name || '(anonymous)';
}

/**
 * The operation that an activation belongs to, as people see it: `transfer`, or `transfer #2` for the second
 * call of that function by the test; `test` for the body of the test itself.
 */
export function taskName(trace: Trace, activation: number): string {
  const at = taskIn(trace, activation);
  if (!at) return 'test';
  const { children, names } = relativesIn(trace);
  if (!names.has(at.id))
    for (const [name, twins] of Map.groupBy(children.get(at.parent) ?? [], (a) => shownName(trace, a)))
      for (const [nth, { id }] of twins.entries())
        names.set(id, twins.length > 1 ? `${name} #${nth + 1}` : name);
  return names.get(at.id) ?? at.name;
}

/** The stable path of the task of an activation; of the body of the test, that of the activation. */
export function taskPath(trace: Trace, activation: number): string {
  return (taskIn(trace, activation) ?? trace.activations[activation])?.path ?? '';
}

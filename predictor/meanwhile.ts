/**
 * What a program touched itself while a child of it was at work, or may have been: neither did it begin only behind that, nor is it told
 * the end of the child before. How long the child took in the recorded run says nothing.
 */
import type { ChildRecord } from '../data/child-record.ts';
import { EventKind, type Trace } from '../data/trace.ts';
import { askedMeanwhile } from './asked-meanwhile.ts';
import { type Causality, causality } from './causality.ts';
import { buildProgram, type Program } from './program.ts';

/** By entity, whether it wrote. */
export type Touched = ReadonlyMap<string, boolean>;

/** What is beside the children of a run. */
export interface Meanwhile {
  /** What the program touched beside a child. */
  touched(child: ChildRecord): Touched;
  /** Whether two children may be at work at the same time, be it that they were not: none waits for the end of the other. */
  areBeside(one: ChildRecord, other: ChildRecord): boolean;
  /** Whether the program asks it for more before it has answered. */
  isAskedMeanwhile(child: ChildRecord): boolean;
}

export function meanwhileOf(trace: Trace): Meanwhile {
  let known: { program: Program; order: Causality } | null = null;
  const look = () => {
    if (known) return known;
    const program = buildProgram(trace);
    known = { program, order: causality(program) };
    return known;
  };
  let asked: ReadonlySet<string> | null = null;
  const endOf = ({ exit }: ChildRecord): number => trace.requests.findIndex(({ name }) => name === exit);
  return {
    touched(child) {
      if (child.touched.size === 0) return new Map();
      const { order, program } = look();
      return touchedBeside(trace, child, program, order);
    },
    isAskedMeanwhile({ name, startedBy }) {
      asked ??= askedMeanwhile(trace, look);
      return startedBy === null && asked.has(name.slice(name.indexOf('(') + 1, -1));
    },
    areBeside(one, other) {
      if (one.begin < other.end && other.begin < one.end) return true;
      // Of children of children nobody knows what waits for what.
      if (one.startedBy !== null || other.startedBy !== null) return false;
      const ends = [endOf(one), endOf(other)];
      if (ends.includes(-1)) return false;
      const { order, program } = look();
      const [a, b] = ends.map((end) => program.jobs.length + end) as [number, number];
      return !order.precedes(a, b) && !order.precedes(b, a);
    },
  };
}

function touchedBeside(
  { entities, events, requests, activations, children = [] }: Trace,
  { exit, from }: ChildRecord,
  { jobs, nodeOf }: Program,
  { precedes }: Causality,
): Touched {
  const end = requests.findIndex(({ name }) => name === exit);
  const touched = new Map<string, boolean>();
  /** Behind the beginning of the child: what the host does may be done as late as when it is told. */
  const isBehind = (event: number): boolean =>
    event >= from ||
    (nodeOf[event]! >= jobs.length &&
      (told[nodeOf[event]! - jobs.length] ?? Number.POSITIVE_INFINITY) >= from);
  const told = turnsOf(events);
  const paths = new Set(children.map(({ path }) => path));
  for (let event = 0; event < events.length; event++) {
    const kind = events.kind[event];
    if (kind !== EventKind.Read && kind !== EventKind.Write) continue;
    const entity = entities[events.object[event] as number];
    if (entity?.kind !== 'resource' || !isBehind(event)) continue;
    // What a child did in steps is its own.
    if (paths.has(activations[events.activation[event] as number]?.path ?? '')) continue;
    const node = nodeOf[event] as number;
    if (end >= 0 && node >= 0 && precedes(jobs.length + end, node)) continue;
    touched.set(entity.name, kind === EventKind.Write || touched.get(entity.name) === true);
  }
  return touched;
}

/** When each request was told. */
function turnsOf({ kind, object, length }: Trace['events']): readonly number[] {
  const told: number[] = [];
  for (let event = 0; event < length; event++)
    if (kind[event] === EventKind.Turn) told[object[event] as number] = event;
  return told;
}

/** Which calls of a specification overlap, with which arguments, and when they begin. */
import { isDeepStrictEqual } from 'node:util';
import type { ScenarioTold, ThreadScenarioTold } from '../../data/scenario.ts';
import type { Declared, Operation, Scenario, ThreadScenario } from '../../harnesses/api.ts';
import { SubjectError } from '../subjects/protocol.ts';
import { canonical, shown } from './canonical.ts';
import { type Draws, drawn } from './draw.ts';

export interface OperationCall {
  readonly operation: string;
  readonly args: readonly unknown[];
  /** How it is called in reports, where its arguments do not tell. */
  readonly text?: string;
}

/** `together`: in one turn; `apart`: each a millisecond behind the one before. */
export type Start = 'together' | 'apart';

/** Calls that overlap on fresh state. */
export interface PlannedScenario<D extends Declared<any> = Scenario> {
  readonly spec: D;
  readonly name: string;
  readonly calls: readonly OperationCall[];
  readonly start: Start;
  /** The call at this place comes behind the one before it, as one task; null: each is a task of its own. */
  readonly sequel: number | null;
  /** All arguments of all operations. */
  readonly draws: Draws;
  /** Only that a call rejects is compared, not how. */
  readonly anyError?: boolean;
}

/** So many scenarios of two calls a specification has by default, and at most so many of three. */
const MOST_PAIRS = 60;
const MOST_TRIPLES = 20;
/** Of two calls one behind the other, beside a third. */
const MOST_SEQUENCES = 20;
/** Longer arguments are cut where they are named. */
const MOST_TEXT = 40;

/**
 * Pairs first, with equal keys before others, as these find most; each starts in every way that a caller can produce.
 * Two operations that only read never overlap, nor do those with the same `alone`, nor two of which nothing may follow.
 */
export function planned<D extends Declared<any>>(
  spec: D,
  draws: Draws,
  starts: readonly Start[] = ['together', 'apart'],
): PlannedScenario<D>[] {
  const names = Object.keys(spec.operations);
  const groups = names.flatMap((a, at) => names.slice(at).map((b) => [a, b]));
  const overlap = groups.filter((group) => mayOverlap(spec, group));
  const pairs = (['same', 'other'] as const).flatMap((keys) =>
    overlap.flatMap((group) => startsOf(callsWith(group, draws, keys), starts)),
  );
  const triples = overlap.flatMap(([a, b]) =>
    names
      .slice(names.indexOf(b!))
      .filter((c) => mayOverlap(spec, [a!, c]) && mayOverlap(spec, [b!, c]))
      .flatMap((c) => callsWith([a!, b!, c], draws, 'same')),
  );
  const all = [
    ...distinct(pairs).slice(0, spec.scenarios ?? MOST_PAIRS),
    ...distinct(triples.map((calls) => ({ calls, start: 'together' as const, sequel: null }))).slice(
      0,
      MOST_TRIPLES,
    ),
    ...distinct(sequencesOf(spec, draws)).slice(0, MOST_SEQUENCES),
  ];
  return named(spec, draws, all);
}

/**
 * The scenario of this name in a file whose specifications were evaluated anew.
 * @throws SubjectError where there is none.
 */
export function scenarioNamed(specs: readonly Scenario[], file: string, name: string): PlannedScenario {
  const all = specs.filter((spec) => name.startsWith(`${spec.name}: `));
  const found = all.flatMap((spec) => planned(spec, drawn(spec, file))).find((each) => each.name === name);
  if (!found) throw new SubjectError(`${file}: no scenario named '${name}'`);
  return found;
}

/** What others are told of it. */
export function toldOf({ name, spec, calls, start, sequel }: PlannedScenario<Declared<any>>): ScenarioTold {
  const texts = calls.map(callText);
  const group = `${spec.name}: ${texts.join(', ')}${sequel === null ? '' : `, sequel ${sequel}`}`;
  const refusable = calls.flatMap(({ operation }, at) => (spec.operations[operation]?.refuses ? [at] : []));
  const operations = calls.map(({ operation }) => operation);
  return {
    name,
    spec: spec.name,
    operations,
    keys: keysOf(calls),
    group,
    refusable,
    sequel,
    calls: texts,
    start,
  };
}

/** Those of threads: begin together, as a thread may be preempted before its first step. */
export function plannedThreads(spec: ThreadScenario, draws: Draws): ThreadScenarioTold[] {
  return planned(spec, draws, ['together']).map((scenario) => ({
    ...toldOf(scenario),
    args: scenario.calls.map(({ args, operation }) => draws.get(operation)!.indexOf(args)),
  }));
}

/** Calls without arguments are about the one thing that there is. */
function keysOf([first, ...others]: readonly OperationCall[]): ScenarioTold['keys'] {
  const isLike = ({ args }: OperationCall): boolean => isDeepStrictEqual(args[0], first?.args[0]);
  const isWhole = [first, ...others].some((call) => call?.args.length === 0);
  return isWhole || others.every(isLike) ? 'same' : 'other';
}

function mayOverlap({ operations }: Declared<any>, group: readonly string[]): boolean {
  const all = group.map((name) => operations[name]!);
  const [first] = all as [Operation<any>];
  if (all.every(({ reads }) => reads) || all.every(({ last }) => last)) return false;
  return first.alone === undefined || !all.every(({ alone }) => alone === first.alone);
}

type Unnamed = Pick<PlannedScenario<Declared<any>>, 'calls' | 'start' | 'sequel'>;

/**
 * What one operation leaves to the next may be what a third one meets. Those that end their task come first, and those of different
 * operations that change something.
 */
function sequencesOf(spec: Declared<any>, draws: Draws): Unnamed[] {
  // Nobody promises there that what has ended comes before what follows.
  if (spec.order === 'program') return [];
  const names = Object.keys(spec.operations);
  const isOf = (key: 'last' | 'reads', name: string): boolean => spec.operations[name]![key] === true;
  const all = names.flatMap((a) => names.flatMap((b) => names.map((c) => ({ a, b, c }))));
  const fit = all.filter(
    ({ a, b, c }) =>
      !isOf('last', a) &&
      !(isOf('reads', a) && isOf('reads', b)) &&
      mayOverlap(spec, [a, c]) &&
      mayOverlap(spec, [b, c]),
  );
  const weight = ({ a, b, c }: (typeof all)[number]): number =>
    2 * (3 - new Set([a, b, c]).size) +
    [a, b, c].filter((name) => isOf('reads', name)).length +
    (isOf('last', b) ? 0 : 1);
  return fit
    .toSorted((one, other) => weight(one) - weight(other))
    .flatMap(({ a, b, c }) => callsWith([a, b, c], draws, 'same'))
    .flatMap(([a, b, c]): Unnamed[] => [
      { calls: [c!, a!, b!], start: 'together', sequel: 2 },
      { calls: [a!, b!, c!], start: 'together', sequel: 1 },
    ]);
}

/** None where there are no such arguments. */
function callsWith(group: readonly string[], draws: Draws, keys: 'same' | 'other'): OperationCall[][] {
  const [first, ...others] = group.map((operation) =>
    draws.get(operation)!.map((args): OperationCall => ({ operation, args })),
  );
  const wanted = (a: OperationCall, b: OperationCall): boolean =>
    a.args.length === 0 || b.args.length === 0
      ? keys === 'same'
      : isDeepStrictEqual(a.args[0], b.args[0]) === (keys === 'same');
  for (const call of first!) {
    const calls = [call];
    for (const candidates of others) {
      const fit = candidates.filter((each) => calls.every((known) => wanted(known, each)));
      // Equal calls hide what one of them undoes.
      const best = fit.find((each) => calls.every((known) => !isDeepStrictEqual(known, each))) ?? fit[0];
      if (best) calls.push(best);
    }
    if (calls.length === group.length) return [calls];
  }
  return [];
}

function startsOf(found: readonly OperationCall[][], starts: readonly Start[]): Unnamed[] {
  return found
    .flatMap((calls): Unnamed[] => [
      { calls, start: 'together', sequel: null },
      { calls, start: 'apart', sequel: null },
      { calls: calls.toReversed(), start: 'apart', sequel: null },
    ])
    .filter(({ start }) => starts.includes(start));
}

const distinct = (all: readonly Unnamed[]): Unnamed[] =>
  all.filter((one, at) => !all.slice(0, at).some((other) => isDeepStrictEqual(one, other)));

function named<D extends Declared<any>>(
  spec: D,
  draws: Draws,
  all: readonly Unnamed[],
): PlannedScenario<D>[] {
  const used = new Map<string, number>();
  return all.map(({ calls, start, sequel }) => {
    const texts = tasksOf(calls.map(callText), sequel);
    const told = start === 'together' ? texts.join(' ∥ ') : texts.join(', 1 ms later ');
    const name = `${spec.name}: ${told}`;
    const times = (used.get(name) ?? 0) + 1;
    used.set(name, times);
    return { spec, draws, calls, start, sequel, name: times === 1 ? name : `${name} (${times})` };
  });
}

/** Calls that follow each other are told as one. */
function tasksOf(texts: readonly string[], sequel: number | null): string[] {
  if (sequel === null) return [...texts];
  return texts.flatMap((text, at) =>
    at === sequel ? [] : at + 1 === sequel ? [`(${text}; ${texts[sequel]})`] : [text],
  );
}

/** `A touch`: short, and told apart where the same operation is called twice. */
export const taskName = (calls: readonly OperationCall[], at: number): string =>
  `${String.fromCharCode(65 + at)} ${calls.map(({ operation }) => operation).join(', ')}`;

export function callText({ operation, args, text }: OperationCall): string {
  if (text !== undefined) return text;
  const told = args.map((arg) => {
    const text = shown(canonical(arg));
    return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;
  });
  return `${operation}(${told.join(', ')})`;
}

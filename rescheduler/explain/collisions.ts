/**
 * Where a time that is over too soon is no more than what lets operations of the code under test run into each other: the close that
 * overtakes a write, the time-out beside a late success. These are races, whoever set the timer.
 */
import { readFileSync } from 'node:fs';
import type { RunResult } from '../../data/run.ts';
import { isBesideTest } from '../../data/test-files.ts';
import { EventKind, type Site, type Trace } from '../../data/trace.ts';
import { accessPoint } from '../../predictor/cut-point.ts';
import { distances, nearness } from '../../predictor/depends.ts';
import type { Flip } from '../../predictor/flip.ts';
import { isUpdate } from '../../predictor/rank.ts';
import { awaitedByTest, type Places, type RunIn, runIns } from '../../predictor/run-ins.ts';
import { statementOf } from './statement.ts';

/** What ends what it is called on: streams, sockets, handles. */
const CLOSING = /^\s*\??\.\s*(?:abort|close|destroy|disconnect|end|kill|terminate)\s*\(/;

/** What the timers of a failing run do to operations, where the failure is about that. */
export interface Collisions {
  /** What goes on behind a sleep of the test changes what an operation goes on with. */
  cutBy(timer: string): Flip | null;
  /** A time-out of the code under test changed what its operation, which came late, changes again. */
  lateFor(timer: string): Flip | null;
  /** The failing statement looks only at what the test writes itself: its counts, what it has collected. */
  areOwnCounts(): boolean;
}

/** `file`: of the test. */
export function collisions(
  { failure }: Pick<RunResult, 'failure'>,
  natural: Trace,
  failing: Trace,
  file: string,
): Collisions {
  const stack = failure?.stack ?? '';
  const { isAbout, looksAt } = concern(natural, failing, stack);
  const places = placesOf(file);
  const takesBack = (timer: string): boolean =>
    natural.requests.some(({ name, takenBack }) => name === timer && takenBack >= 0);
  // What both of them set to the same says nothing where the test does not look at it itself.
  const isTwice = ({ change, entity, use }: RunIn): boolean =>
    [change, use].every((event) => failing.events.kind[event] === EventKind.Write) &&
    (looksAt(entity) || [change, use].every((event) => isUpdate(failing, event)));
  const toldAs = (
    collision: NonNullable<Flip['collision']>,
    timer: string,
    isOne: (one: RunIn) => boolean,
  ): Flip | null => {
    const one = runIns(failing, timer, places).find((each) => isAbout(each.entity) && isOne(each));
    if (!one) return null;
    const { change, entity, use } = one;
    return { entity, first: accessPoint(failing, change), second: accessPoint(failing, use), collision };
  };
  return {
    cutBy(timer) {
      // Where the test does not wait for it but by its sleep, an error in it says that this is too short.
      const awaited = failure?.kind === 'assertion' ? null : awaitedByTest(natural, places);
      return toldAs(
        'cut',
        timer,
        ({ hadBegun, operation }) => hadBegun && (awaited === null || awaited.has(operation)),
      );
    },
    areOwnCounts() {
      const writers = [failing, natural].flatMap((trace) => writersOf(trace, looksAt));
      return writers.length > 0 && !writers.some(places.isProduct);
    },
    lateFor: (timer) => toldAs('late', timer, (one) => isTwice(one) && (one.isGuarded || takesBack(timer))),
  };
}

/** Where entities are written that are meant. */
function writersOf({ entities, events, sites }: Trace, isMeant: (entity: string) => boolean): Site[] {
  const meant = entities.map(({ name }) => isMeant(name));
  const found = new Set<number>();
  for (let i = 0; i < events.length; i++)
    if (events.kind[i] === EventKind.Write && meant[events.object[i] as number]) found.add(events.site[i]!);
  return [...found].flatMap((site) => sites[site] ?? []);
}

interface FailureSubject {
  /** The failing statement depends on it: as the run failed, or as it naturally goes. */
  isAbout(entity: string): boolean;
  looksAt(entity: string): boolean;
}

function concern(natural: Trace, failing: Trace, stack: string): FailureSubject {
  const statement = statementOf(stack);
  const far = [failing, upTo(natural, stack)].flatMap((trace) =>
    trace ? [distances(trace, stack, statement)] : [],
  );
  return {
    isAbout: (entity) => far.some((distance) => nearness(distance)(entity) > 0),
    looksAt: (entity) => far.some((distance) => distance.get(entity) === 0),
  };
}

/** The run up to where it last looked at something in the statements that the stack names; null: it never did. */
function upTo(trace: Trace, stack: string): Trace | null {
  const { kind, site, length } = trace.events;
  const isNamed = trace.sites.map(({ file, line }) => stack.includes(`/${file}:${line}:`));
  let end = length;
  while (end > 0 && !(kind[end - 1] === EventKind.Read && isNamed[site[end - 1] as number])) end -= 1;
  return end > 0 ? { ...trace, settled: end } : null;
}

function placesOf(test: string): Places {
  const lines = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] => {
    const known = lines.get(file) ?? readLines(file);
    lines.set(file, known);
    return known;
  };
  return {
    isProduct: ({ file }) => !isBesideTest(file, test),
    isClosing: ({ file, line, column, text }) => {
      const rest = (linesOf(file)[line - 1] ?? '').slice(column - 1);
      return rest.startsWith(text) && CLOSING.test(rest.slice(text.length));
    },
  };
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

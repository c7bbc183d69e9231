/**
 * Tests that never run beside each other natively may use the same file of the project, or the same port: those of one file
 * of tests, and those of several where these run one after the other. Here they take turns, and where a file has hooks, all
 * of its tests do: what hooks do is not recorded. Each run has temporary files of its own.
 */
import { readFileSync } from 'node:fs';
import { RUNNER_NAMES, runnerRow } from '../../data/runners.ts';
import { EventKind, type Trace } from '../../data/trace.ts';
import type { SubjectSource } from '../../rescheduler/subjects/source.ts';

const OF_ALL = /^(?:fs:(?!\*|\$TMPDIR)|port \d)/;
/** Two files that are made in one folder do not meet there, unless somebody lists it. */
const LISTING = / \(entries\)$/;

/** What other runs may see, by its name. */
export const isOfAll = (resource: string): boolean => OF_ALL.test(resource);

/** What a run uses of what other runs see. */
export interface Uses {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

export function usesOf({ entities, events }: Trace): Uses {
  const reads = new Set<string>();
  const writes = new Set<string>();
  const ofAll = new Map(
    entities.flatMap(({ id, kind, name }) => (kind === 'resource' && isOfAll(name) ? [[id, name]] : [])),
  );
  for (let at = 0; at < events.length && ofAll.size > 0; at++) {
    const kind = events.kind[at];
    if (kind !== EventKind.Read && kind !== EventKind.Write) continue;
    const name = ofAll.get(events.object[at] as number);
    if (name !== undefined) (kind === EventKind.Read ? reads : writes).add(name);
  }
  return { reads, writes };
}

/** Kernels choose from here on: what the text around a test opens there is another port in each run. */
const CHOSEN = 32_768;

/** Ports that a test connects to and does not open: its file does when it is loaded, or a hook, in each of its runs. */
const openedAround = ({ reads, writes }: Uses): string[] =>
  [...reads].filter((name) => Number(/^port (\d+)/.exec(name)?.[1] ?? CHOSEN) < CHOSEN && !writes.has(name));

const changedBy = (uses: Uses): ReadonlySet<string> => new Set([...uses.writes, ...openedAround(uses)]);

interface KnownUses {
  readonly id: string;
  readonly file: string;
  readonly uses: Uses;
  /** Files that any of its processes loads with its own are those of all tests of that name; absent: it loads no other. */
  readonly loadedWith?: string | undefined;
}

/**
 * The tests that take turns, and with which they do: those of one group with each other. `hasHooks`: of a file. What a file
 * opens as it is loaded is opened by each process that loads it, for a test of whichever file.
 */
export function turnsOf(
  tests: readonly KnownUses[],
  hasHooks: (file: string) => boolean,
): Map<string, string> {
  const everywhere = new Set(
    tests.flatMap(({ uses, loadedWith }) =>
      loadedWith !== undefined && openedAround(uses).length > 0 ? [loadedWith] : [],
    ),
  );
  const groups = groupsOf(tests);
  const changed = new Set(tests.flatMap(({ uses }) => [...changedBy(uses)]));
  const opening = new Set(tests.flatMap(({ file, uses }) => (openedAround(uses).length > 0 ? [file] : [])));
  const hooked = new Set([...groups.keys()].filter((file) => opening.has(file) || hasHooks(file)));
  const meets = (uses: Uses): boolean =>
    changedBy(uses).size > 0 || [...uses.reads].some((name) => changed.has(name));
  const turns = new Map<string, string>();
  for (const { id, file, uses, loadedWith } of tests) {
    if (loadedWith !== undefined && everywhere.has(loadedWith)) {
      turns.set(id, loadedWith);
      continue;
    }
    const group = groups.get(file);
    if (group !== undefined && (meets(uses) || hooked.has(file))) turns.set(id, group);
  }
  return turns;
}

/** What names all tests whose files each process of this one loads, as those of Mocha do; undefined: it loads its own. */
export function loadedWith(source: SubjectSource | undefined): string | undefined {
  const runner = RUNNER_NAMES.find((name) => name === source?.kind);
  if (!source || !('recipe' in source) || !runner || runnerRow(runner).warm !== 'command') return undefined;
  return JSON.stringify(source.recipe);
}

/** As runners name them. What the context of a test puts away (`t.after`) is part of its own runs. */
const HOOKS =
  /\b(?:before|(?:before|after)(?:Each|All)|setup|teardown|suite(?:Setup|Teardown))\s*\(|(?<!\bt\.)\bafter\s*\(/;

/** Whether a file of tests has hooks, by its text; one that cannot be read may. */
export function hasHooks(file: string): boolean {
  try {
    return HOOKS.test(readFileSync(file, 'utf8'));
  } catch {
    return true;
  }
}

/** The files whose tests take turns, and with which they do: those of one group with each other. */
export function groupsOf(tests: readonly { file: string; uses: Uses }[]): Map<string, string> {
  const above = new Map<string, string>();
  const topOf = (file: string): string => {
    const next = above.get(file) ?? file;
    return next === file ? file : topOf(next);
  };
  const read = filesBy(tests, ({ reads }) => reads);
  for (const [resource, writers] of filesBy(tests, changedBy)) {
    const readers = read.get(resource) ?? [];
    const meet = !LISTING.test(resource) || readers.length > 0;
    for (const file of writers) if (!above.has(file)) above.set(file, file);
    for (const file of meet ? [...writers, ...readers] : [])
      above.set(topOf(file), topOf(writers[0] ?? file));
  }
  return new Map([...above.keys()].map((file) => [file, topOf(file)]));
}

function filesBy(
  tests: readonly { file: string; uses: Uses }[],
  which: (uses: Uses) => ReadonlySet<string>,
): Map<string, string[]> {
  const files = new Map<string, Set<string>>();
  for (const { file, uses } of tests)
    for (const resource of which(uses)) files.set(resource, (files.get(resource) ?? new Set()).add(file));
  return new Map([...files].map(([resource, of]) => [resource, [...of]]));
}

export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Begins when all work of that group is over that was handed in before. */
  take(group: string, work: () => Promise<unknown>): Promise<unknown> {
    const mine = (this.last.get(group) ?? Promise.resolve()).then(work);
    // One that fails is told by its own promise.
    this.last.set(
      group,
      mine.catch(() => {}),
    );
    return mine;
  }
}

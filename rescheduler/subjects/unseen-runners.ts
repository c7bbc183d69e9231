/** Runners whose tests are not seen one by one, and what is known of the others where a process is all that one has. */
import { RUNNERS, type RunnerTable } from '../../data/runners.ts';
import { versionOf } from '../runners/package.ts';

/**
 * The command of some runs all files that it is given in its own process: that is looked into as a script is. Where nothing was,
 * the others are named.
 */
const AS_SCRIPTS: ReadonlySet<string> = new Set(['tape']);

const NAMES: Readonly<Record<string, string>> = {
  '@hapi/lab': 'lab',
  ava: 'AVA',
  jasmine: 'Jasmine',
  lab: 'lab',
  qunit: 'QUnit',
  tap: 'tap',
};

/** What carries tests out in its own process or threads, seen or not. What tap runs are scripts of the user's. */
const carriersIn = (table: RunnerTable): ReadonlySet<string> =>
  new Set([
    ...Object.keys(NAMES).filter((name) => name !== 'tap'),
    ...Object.values(table).flatMap(({ carriedOutBy }) => carriedOutBy),
  ]);
const CARRIES_OUT = carriersIn(RUNNERS);

/** Name of the package that a script belongs to, or of the link to its command. */
const PACKAGE = /.*\/node_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)/;

const packageOf = (script: string): string => PACKAGE.exec(script)?.[1] ?? '';

/** The runner whose command this script is, where it runs its files as a script does. */
export function scriptRunner(script: string): string | null {
  const name = packageOf(script);
  return AS_SCRIPTS.has(name) ? name : null;
}

/** What this script starts is started by the tests of a runner. */
export const carriesOutTests = (script: string, table?: RunnerTable): boolean =>
  (table ? carriersIn(table) : CARRIES_OUT).has(packageOf(script));

/** What to say of the first one among these scripts. */
export function unseenRunner(scripts: readonly string[]): string | null {
  const found = scripts.flatMap((script) => NAMES[packageOf(script)] ?? [])[0];
  if (found !== undefined) return `it ran ${found}, whose tests are not seen`;
  return scripts.map(earlyRunner).find((told) => told !== null) ?? null;
}

/** A version of a runner that comes before those that are seen. */
function earlyRunner(script: string): string | null {
  for (const { carriedOutBy, since, title } of Object.values(RUNNERS as RunnerTable)) {
    const version = since === undefined ? undefined : versionOf(script, carriedOutBy);
    if (version && Number.parseInt(version, 10) < since!)
      return `it ran ${title} ${version}, and ${title} is seen from ${since} on`;
  }
  return null;
}

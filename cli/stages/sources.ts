/** Whether the sources that a trace is about are still the ones that were recorded. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { configSchema } from '../../data/config.ts';
import type { TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import type { PointText } from '../../monitor/threads/trace.ts';
import { parsePlace } from '../../report/phrase.ts';
import {
  type SubjectSource,
  type SubjectStart,
  sourceSchema,
  startSchema,
} from '../../rescheduler/subjects/source.ts';
import type { RunOptions } from '../options.ts';

const recipeSchema = z.looseObject({
  sources: z.record(z.string(), z.string()),
  /** `sources` has every file of the project that the test has loaded. */
  isWhole: z.boolean().default(false),
  settings: z.record(z.string(), z.unknown()),
});

/** Options that change what is recorded of a test, or predicted from it. */
const SETTINGS = [
  'instrument',
  'exclude',
  'locks',
  'atomic',
  'notAtomic',
  'assumeIo',
  'allowPeers',
  'freeRecording',
  'assumeStallMs',
  'maxStallMs',
  'maxPauseMs',
  'loopback',
] as const;

export type Settings = Pick<RunOptions, (typeof SETTINGS)[number]>;
const KEYS = Object.fromEntries(SETTINGS.map((key) => [key, true])) as Record<keyof Settings, true>;

/** Equal for options under which a test is recorded and predicted alike. */
export function settingsOf(options: Settings): Settings {
  return Object.fromEntries(SETTINGS.map((key) => [key, options[key]])) as Settings;
}

/** The settings under which a test was recorded; null where its record does not tell. */
export function recordedSettings({ recipe }: TestRecord): Settings | null {
  const known = configSchema.pick(KEYS).safeParse(recipe['settings']);
  return known.success ? known.data : null;
}

/** How to open a test again; null where its record does not tell. */
export function recordedSource({ recipe }: TestRecord): SubjectSource | null {
  const known = sourceSchema.safeParse(recipe['source']);
  return known.success ? known.data : null;
}

/** npm and its like say what they run; what they run does without. */
const OF_NPM = /^(?:npm_.*|INIT_CWD|NODE|COLOR|EDITOR)$/;

/** How a test was started, be it with variables that are not kept; null where its record does not tell. */
export function recordedStart(test: TestRecord): SubjectStart | null {
  const source = recordedSource(test);
  if (source) return { source, environment: [] };
  const known = startSchema.safeParse(test.recipe['started']);
  if (!known.success) return null;
  return { ...known.data, environment: known.data.environment.filter((name) => !OF_NPM.test(name)) };
}

/** File → hash of its content, or '' for one that cannot be read. */
export type Sources = Readonly<Record<string, string>>;

/** Hashes of files as they were when they had this time and size: the tests of a suite share most of their sources. */
const hashed = new Map<string, { readonly mtimeMs: number; readonly size: number; readonly hash: string }>();

export function hashOf(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  try {
    const { mtimeMs, size } = statSync(path);
    const known = hashed.get(path);
    if (known?.mtimeMs === mtimeMs && known.size === size) return known.hash;
    const hash = createHash('sha1').update(readFileSync(path)).digest('hex');
    hashed.set(path, { mtimeMs, size, hash });
    return hash;
  } catch {
    return '';
  }
}

/** The files that a trace has program points in, with all others that the test has loaded. */
export const sourcesWith = (trace: Trace, loaded: readonly string[], cwd: string): Sources =>
  hashesOf([...trace.sites.map(({ file }) => file), ...(trace.made ?? []), ...loaded], cwd);

/** The same by the names of places: `file:line:column`. */
export function sourcesOfPoints(
  points: readonly string[],
  sites: readonly Pick<PointText, 'made'>[],
  cwd: string,
): Sources {
  const files = points.flatMap((point) => parsePlace(point)?.file ?? []);
  return hashesOf([...files, ...sites.flatMap(({ made }) => made ?? [])], cwd);
}

const hashesOf = (files: readonly string[], cwd: string): Sources =>
  Object.fromEntries([...new Set(files)].map((file) => [file, hashOf(file, cwd)]));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The files that a test has loaded; null: it may have loaded others. */
export function wholeSources({ recipe }: TestRecord): ReadonlySet<string> | null {
  const known = recipeSchema.safeParse(recipe);
  return known.success && known.data.isWhole ? new Set(Object.keys(known.data.sources)) : null;
}

/** Files that have changed since the test was recorded. */
export function editedSources({ recipe }: Pick<TestRecord, 'recipe'>, cwd: string): string[] {
  const known = recipeSchema.safeParse(recipe);
  if (!known.success) return [];
  return Object.entries(known.data.sources).flatMap(([file, hash]) =>
    hashOf(file, cwd) === hash ? [] : [file],
  );
}

/** True when a file or the options have changed since the test was recorded: what is known is about something else. */
export function isStale({ recipe }: TestRecord, options: RunOptions): boolean {
  const { cwd } = options;
  const known = recipeSchema.safeParse(recipe);
  if (!known.success) return false;
  if (!isDeepStrictEqual(plain(known.data.settings), plain(settingsOf(options)))) return true;
  return editedSources({ recipe }, cwd).length > 0;
}

/** Instruments files by path, with or without module hooks. */
import { createRequire } from 'node:module';
import { extname, relative, sep } from 'node:path';
import { type Applied, applyInsertions } from '../instrument/edits.ts';
import type * as Instrumenter from '../instrument/instrument.ts';
import type { InstrumentOptions, Plan } from '../instrument/types.ts';
import { runtime, type SiteInfo } from '../runtime/index.ts';
import { cacheKey, readPlan, writePlan } from './cache.ts';
import { loaderConfig } from './config.ts';
import { mapStamp, withOriginals } from './originals.ts';
import { natively } from './own-require.ts';
import { askPlanner } from './planner.ts';
import { isOwn, isSelected } from './select.ts';
import { withMap } from './source-map.ts';
import { asOurs } from './unseen.ts';

export interface InstrumentedFile extends Applied {
  readonly sites: readonly SiteInfo[];
  /** Id of the first of `sites`. */
  readonly firstSite: number;
}

let looksAlone = false;

/** On plain Node: of what is loaded from here on only the calls of tests are told. */
export function tellTestCallsAlone(): void {
  looksAlone = true;
}

/** What this process has instrumented, so that a file loaded again keeps its points. */
const loaded = new Map<string, InstrumentedFile | null>();

/**
 * The instrumented text of a file, or null where it is to run as it is: not selected, not JavaScript, or not
 * parseable (Node's own error is the better one). `format` is what module hooks call so.
 */
export function instrumentFile(
  path: string,
  source: string,
  format: string | null | undefined,
): InstrumentedFile | null {
  if (loading || !isSelected(path, loaderConfig())) return null;
  for (const options of readings(
    path,
    format,
    asOurs(() => mapStamp(path, source)),
  )) {
    const key = cacheKey(source, options, loaderConfig().stamp);
    let file = loaded.get(key);
    if (file === undefined) {
      const plan = planOf(key, source, options, path);
      if (plan === undefined) continue;
      file = plan === null ? null : place(source, plan);
      // Node tells the places of errors by the map that the text names, when it is told to.
      if (file && options.map && process.sourceMapsEnabled)
        file = { ...file, code: withMap(path, source, file) };
      loaded.set(key, file);
    }
    readable.add(path);
    return file;
  }
  return null;
}

/**
 * The same for text that a loader has made of a file and has compiled as CommonJS; null also where the file was
 * instrumented when it was read. `placed` takes points of that text to where they are in the file.
 */
export function instrumentCompiled(
  path: string,
  text: string,
  placed: (sites: readonly SiteInfo[]) => readonly SiteInfo[],
): Applied | null {
  const config = loaderConfig();
  if (loading || readable.has(path) || !(isOwn(path, config) || isSelected(path, config))) return null;
  const [reading] = readings(path, 'commonjs');
  const options = { ...reading!, typescript: false };
  const plan = planOf(cacheKey(text, options, config.stamp), text, options);
  if (plan === undefined) return null;
  readable.add(path);
  return plan && place(text, { ...plan, sites: placed(plan.sites) });
}

/**
 * The same for text that a runner of tests has made of a file and evaluates by itself, in this process: however often, and
 * in whichever realm.
 */
export function instrumentTransformed(
  path: string,
  text: string,
  kind: InstrumentOptions['kind'],
  placed: (sites: readonly SiteInfo[]) => readonly SiteInfo[],
): Applied | null {
  const config = loaderConfig();
  if (!(isOwn(path, config) || isSelected(path, config))) return null;
  const [reading] = readings(path, 'commonjs');
  const options = { ...reading!, kind, typescript: false };
  const key = cacheKey(text, options, config.stamp);
  let file = loaded.get(key);
  if (file === undefined) {
    const plan = planOf(key, text, options);
    if (plan === undefined) return null;
    readable.add(path);
    file = plan && place(text, { ...plan, sites: placed(plan.sites) });
    loaded.set(key, file);
  }
  return file;
}

/**
 * The same for text that a bundler has made of a file as a module, and that another process runs: its points begin with
 * `firstSite`, are where they are in that text, and are not registered here.
 */
export function instrumentForeign(
  path: string,
  text: string,
  firstSite: number,
): (Applied & { readonly sites: readonly SiteInfo[] }) | null {
  const config = loaderConfig();
  if (!(isOwn(path, config) || isSelected(path, config))) return null;
  const [reading] = readings(path, 'module');
  const options = { ...reading!, typescript: false };
  const plan = planOf(cacheKey(text, options, config.stamp), text, options);
  return plan ? { ...applyInsertions(text, plan.insertions, firstSite), sites: plan.sites } : null;
}

/** Files whose text was read, whether or not there was something to see in it. */
const readable = new Set<string>();

/** Whether the file at this path was looked into in this thread. */
export const wasRead = (path: string): boolean => readable.has(path);

function place(source: string, plan: Plan): InstrumentedFile {
  const firstSite = runtime.registerSites(plan.sites);
  const { code, inserted } = applyInsertions(source, plan.insertions, firstSite);
  runtime.registerText(firstSite, plan.sites.length, code, inserted);
  return { code, inserted, sites: plan.sites, firstSite };
}

/** The ways to read a file, likeliest first: without a format Node tries CommonJS, then ESM. */
function readings(path: string, format: string | null | undefined, map = ''): InstrumentOptions[] {
  const extension = extname(path);
  const typescript = extension.endsWith('ts');
  const { cwd, assumeIo, overlaps } = loaderConfig();
  const file = relative(cwd, path).split(sep).join('/');
  const assumed = assumeIo.length > 0 ? { assumeIo } : {};
  const mapped = map === '' ? {} : { map: `${cwd} ${map}` };
  const told = overlaps === 'calls' ? { testCalls: looksAlone ? ('alone' as const) : ('too' as const) } : {};
  const reading = (kind: InstrumentOptions['kind']) => ({
    ...{ file, kind, typescript },
    ...{ ...assumed, ...mapped, ...told },
  });
  if (format?.startsWith('module') || /^\.m[jt]s$/.test(extension)) return [reading('module')];
  if (format?.startsWith('commonjs') || /^\.c[jt]s$/.test(extension)) return [reading('commonjs')];
  if (format === undefined || format === null || format === 'typescript') {
    return [reading('commonjs'), reading('module')];
  }
  return [];
}

const planOf: typeof keptPlan = (...about) => asOurs(() => keptPlan(...about));

/** Undefined: it does not parse this way. `path`: of the file whose text it is, which may name a map. */
function keptPlan(
  key: string,
  source: string,
  options: InstrumentOptions,
  path?: string,
): Plan | null | undefined {
  const { cacheDir } = loaderConfig();
  const kept = readPlan(cacheDir, key);
  if (kept !== undefined) return kept;
  let plan = planAnew(source, options);
  if (plan && path) plan = withOriginals(plan, path, source, loaderConfig().cwd);
  if (plan !== undefined) writePlan(cacheDir, key, plan);
  return plan;
}

/** By the planner, or where there is none by ourselves. Undefined: it does not parse. */
function planAnew(source: string, options: InstrumentOptions): Plan | null | undefined {
  const { planner } = loaderConfig();
  const answer = planner && lazily === null ? askPlanner(planner, { source, options }) : null;
  if (answer) return answer === 'does not parse' ? undefined : answer.plan;
  try {
    return instrumenter().plan(source, options);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

let lazily: typeof Instrumenter | null = null;
/** True while the instrumenter itself is loaded: its own packages must run before they can be instrumented. */
let loading = false;

/** Babel takes longer to load than a cached file to run: it comes with the first miss. */
function instrumenter(): typeof Instrumenter {
  if (lazily === null) {
    loading = true;
    try {
      const require = createRequire(import.meta.url);
      lazily = natively(() => require(`../instrument/instrument${extname(import.meta.url)}`));
    } finally {
      loading = false;
    }
  }
  return lazily!;
}

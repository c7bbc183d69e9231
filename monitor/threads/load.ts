/** Instruments the files of programs of threads; every thread of a pool numbers their points alike. */
import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { extname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Applied, applyInsertions, columnBefore } from '../instrument/edits.ts';
import type * as Instrumenter from '../instrument/instrument.ts';
import type * as Rules from '../instrument/threads/index.ts';
import type { InstrumentOptions, Plan } from '../instrument/types.ts';
import { cacheKey, readPlan, writePlan } from '../loader/cache.ts';
import type { LoaderConfig } from '../loader/config.ts';
import { mapStamp, withOriginals } from '../loader/originals.ts';
import { isOurs, isSelected } from '../loader/select.ts';
import type { SiteInfo } from '../runtime/types.ts';
import type { Registry } from './registry.ts';

/** An instrumented text, its points, and the number of the first of them. */
export interface Numbered {
  readonly code: string;
  readonly first: number;
  readonly sites: readonly SiteInfo[];
}

/** The text of which a worker is made, as the program gave it, and what places in it are told to be in. */
export interface WorkerText extends Omit<Numbered, 'code'> {
  readonly file: string;
  readonly source: string;
}

/** By what Node calls the text of a worker: a script, or a module. */
const OF_TEXT = /^(?:\[worker eval\]$|data:text\/javascript,)/;

export class ThreadLoader {
  /** By point number. */
  readonly sites: (SiteInfo | undefined)[] = [];
  /** The same one behind the other, as they came. */
  readonly known: SiteInfo[] = [];
  private readonly texts = new Map<string, Applied>();
  private own: WorkerText | null = null;
  /** Is told of each file's points, and the number of the first. */
  told: (first: number, sites: readonly SiteInfo[]) => void = () => {};
  private readonly config: LoaderConfig;
  private readonly registry: Registry;

  constructor(config: LoaderConfig, registry: Registry) {
    this.config = config;
    this.registry = registry;
  }

  get cacheDir(): string {
    return this.config.cacheDir;
  }

  /** Whether the file is the user's. */
  selects(path: string): boolean {
    return isSelected(path, this.config);
  }

  /** The instrumented text; the text as it is where that cannot be done, or where there is nothing to do. */
  transform = (source: string, path: string, kind: 'module' | 'commonjs'): string => {
    const isForeign = !this.selects(path);
    // Our own locks are annotated: who calls them says where they stand.
    if (isForeign && (isOurs(path) || !source.includes('Atomics.'))) return source;
    const file = relative(this.config.cwd, path).split(sep).join('/');
    const stamp = mapStamp(path, source);
    const map = stamp === '' ? {} : { map: `${this.config.cwd} ${stamp}` };
    const options = { file, kind, typescript: extname(path).endsWith('ts'), ...map, threads: true };
    const plan = this.planOf(source, options, isForeign, path);
    if (plan === null) return source;
    return isForeign ? applyInsertions(source, plan.insertions, 0).code : this.apply(source, file, plan).code;
  };

  /** The same for a worker that is made of text; null where it cannot be done. */
  text(source: string): (Numbered & WorkerText) | null {
    const file = `[text ${hash('sha1', source).slice(0, 6)}]`;
    for (const kind of ['commonjs', 'module'] as const) {
      const plan = this.planOf(source, { file, kind, typescript: false, threads: true }, false);
      if (plan !== null) return { ...this.apply(source, file, plan), file, source };
    }
    return null;
  }

  /** This thread runs a text that another one has instrumented. */
  runs(text: WorkerText): void {
    this.own = text;
    this.know(text);
  }

  /** The text that is told to be in `file`; null: that is a file. */
  textOf(file: string): string | null {
    return this.own?.file === file ? this.own.source : null;
  }

  /** The file of the user's, or the text of this worker, that a script is; null: it is none of these. */
  fileOf(script: string): string | null {
    if (OF_TEXT.test(script)) return this.own?.file ?? null;
    const bare = script.replace(/[?#].*$/, '');
    const path = bare.startsWith('file:') ? fileURLToPath(bare) : bare;
    return this.selects(path) ? relative(this.config.cwd, path).split(sep).join('/') : null;
  }

  private know({ first, sites }: Pick<Numbered, 'first' | 'sites'>): void {
    for (const [at, site] of sites.entries()) {
      this.sites[first + at] = site;
      this.known.push(site);
    }
  }

  /** The first of points that are all at a place which no instrumented text tells: the same for all threads. */
  pointsAt(sites: readonly [SiteInfo, ...SiteInfo[]], key: string): number {
    const first = this.registry.points(hash('sha1', key, 'buffer').readInt32LE(0), sites.length);
    this.know({ first, sites });
    this.told(first, sites);
    return first;
  }

  /** The column in a file as it was before it was instrumented; null: that was not done here. */
  originalColumn(file: string, line: number, column: number): number | null {
    const text = this.texts.get(file);
    return text ? columnBefore(text, line, column) : null;
  }

  private apply(source: string, file: string, plan: Plan): Numbered {
    const key = hash('sha1', `${file}\0${source}`, 'buffer').readInt32LE(0);
    const first = this.registry.points(key, plan.sites.length);
    this.know({ first, sites: plan.sites });
    this.told(first, plan.sites);
    const applied = applyInsertions(source, plan.insertions, first);
    this.texts.set(file, applied);
    return { code: applied.code, first, sites: plan.sites };
  }

  private planOf(source: string, options: InstrumentOptions, isForeign: boolean, path?: string): Plan | null {
    const { cacheDir, stamp } = this.config;
    const key = cacheKey(isForeign ? `foreign ${source}` : source, options, stamp);
    const kept = readPlan(cacheDir, key);
    if (kept !== undefined) return kept;
    let plan: Plan | null = null;
    try {
      const { instrumenter, rules } = lazily();
      plan = instrumenter.plan(source, options, isForeign ? rules.FOREIGN_RULES : rules.THREAD_RULES);
      if (plan && path) plan = withOriginals(plan, path, source, this.config.cwd);
    } catch (error) {
      // Node's own message about the text is the better one.
      if (!(error instanceof SyntaxError)) throw error;
    }
    writePlan(cacheDir, key, plan);
    return plan;
  }
}

/** Babel takes longer to load than a cached file to run: it comes with the first miss. */
function lazily(): { instrumenter: typeof Instrumenter; rules: typeof Rules } {
  const require = createRequire(import.meta.url);
  const extension = extname(import.meta.url);
  return {
    instrumenter: require(`../instrument/instrument${extension}`),
    rules: require(`../instrument/threads/index${extension}`),
  };
}

/** Instruments the files of programs of threads; every thread of a pool numbers their points alike. */
import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { extname, relative, sep } from 'node:path';
import { applyInsertions } from '../instrument/edits.ts';
import type * as Instrumenter from '../instrument/instrument.ts';
import type * as Rules from '../instrument/threads/index.ts';
import type { InstrumentOptions, Plan } from '../instrument/types.ts';
import { cacheKey, readPlan, writePlan } from '../loader/cache.ts';
import type { LoaderConfig } from '../loader/config.ts';
import { isSelected } from '../loader/select.ts';
import type { SiteInfo } from '../runtime/types.ts';
import type { Registry } from './registry.ts';

export class ThreadLoader {
  /** By point number. */
  readonly sites: (SiteInfo | undefined)[] = [];
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

  /** The instrumented text; the text as it is where that cannot be done. */
  transform = (source: string, path: string, kind: 'module' | 'commonjs'): string => {
    if (!this.selects(path)) return source;
    const file = relative(this.config.cwd, path).split(sep).join('/');
    const options: InstrumentOptions = {
      file,
      kind,
      typescript: extname(path).endsWith('ts'),
      threads: true,
    };
    const plan = this.planOf(source, options);
    if (plan === null) return source;
    const key = hash('sha1', `${file}\0${source}`, 'buffer').readInt32LE(0);
    const first = this.registry.points(key, plan.sites.length);
    for (const [at, site] of plan.sites.entries()) this.sites[first + at] = site;
    this.told(first, plan.sites);
    return applyInsertions(source, plan.insertions, first).code;
  };

  private planOf(source: string, options: InstrumentOptions): Plan | null {
    const { cacheDir } = this.config;
    const key = cacheKey(source, options);
    const kept = readPlan(cacheDir, key);
    if (kept !== undefined) return kept;
    let plan: Plan | null = null;
    try {
      const { instrumenter, rules } = lazily();
      plan = instrumenter.plan(source, options, rules.THREAD_RULES);
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

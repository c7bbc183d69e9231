/** Runs one snippet instrumented, with a sink that keeps what it is told. */
import { runInThisContext } from 'node:vm';
import { type InstrumentOptions, instrument } from '../../../monitor/instrument/index.ts';
import { stripTypes } from '../../../monitor/modules/source.ts';
import { runtime } from '../../../monitor/runtime/index.ts';

/** Instruments a text and registers its points. */
export function prepare(source: string, options: Partial<InstrumentOptions> = {}) {
  const firstSite = runtime.nextSite();
  const result = instrument(source, {
    file: 'a.js',
    kind: 'commonjs',
    typescript: false,
    ...options,
    firstSite,
  });
  runtime.registerSites(result.sites);
  runtime.registerText(firstSite, result.sites.length, result.code, result.inserted);
  return { ...result, firstSite };
}

/** What a snippet did to shared state: `R Account#balance`, in the order of events. */
export interface Watched {
  readonly events: string[];
  /** `line:column text` of each event's point. */
  readonly points: string[];
  /** What was accessed: objects, or numbers of variable scopes. */
  readonly targets: unknown[];
  readonly value: unknown;
}

/** The body of an async function, its parameters, and how long it may go on. */
export async function watch(
  body: string,
  parameters: Record<string, unknown> = {},
  typescript = false,
): Promise<Watched> {
  const names = Object.keys(parameters);
  const { code } = prepare(`(async function (${names.join()}) {${body}\n})`, { typescript });
  const events: string[] = [];
  const points: string[] = [];
  const targets: unknown[] = [];
  runtime.beginRun();
  const run = runInThisContext(typescript ? stripTypes(code) : code);
  runtime.sink = {
    access: (_frame, site, write, target, key) => {
      events.push(`${write ? 'W' : 'R'} ${runtime.entityName(target, key)}`);
      targets.push(target);
      const info = runtime.siteInfo(site)!;
      points.push(`${info.line}:${info.column} ${info.text}`);
    },
    lock: () => {},
  };
  try {
    return { value: await run(...Object.values(parameters)), events, points, targets };
  } finally {
    runtime.sink = null;
  }
}

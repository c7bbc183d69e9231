/** One module of the graph, compiled once; what a run needs to make a fresh instance of it. */
import { pathToFileURL } from 'node:url';
import { compileFunction, Script } from 'node:vm';
import { rewriteCommonJS, rewriteModule } from './babel.ts';
import { BY_NODE } from './default-import.ts';
import { cachedPlan } from './plan-cache.ts';
import type { ModulePlan } from './rewrite-esm.ts';
import { type ModuleSource, stripTypes } from './source.ts';

/** Namespace object of a module: null prototype, read only. */
export type Namespace = Record<PropertyKey, unknown>;

/** Parameters around the body of a CommonJS module: Node's, and the linker's `import()`. */
const CJS_PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', '__uw_load'];

/** What the linker passes to the function of an ES module (see rewrite-esm). */
export interface ModuleLinks {
  ns: Namespace | null;
  meta: ImportMeta | null;
  load: (specifier: unknown) => Promise<unknown>;
  /** Modules with top-level await begin their body when this is settled; null: at once. */
  go: Promise<void> | null;
  [request: `m${number}`]: Namespace;
}

/** Module that other code of this process already holds and that every run shares. */
export interface SharedUnit {
  readonly kind: 'shared';
  readonly url: string;
  /** Null until it is loaded. */
  namespace: Namespace | null;
  /** Given by the caller of the linker; Node must not be asked for it. */
  readonly provided: boolean;
}

export interface EsmUnit {
  readonly kind: 'esm';
  readonly file: string;
  readonly url: string;
  readonly plan: ModulePlan;
  readonly instantiate: (links: ModuleLinks) => Generator | Promise<void>;
  /** By request, filled by the graph. */
  requests: Unit[];
  /** Names that `export *` adds, filled by the graph. */
  starNames: { readonly name: string; readonly from: Unit; readonly imported: string }[];
}

export interface CjsUnit {
  readonly kind: 'cjs';
  readonly file: string;
  readonly body: (...args: unknown[]) => unknown;
}

interface JsonUnit {
  readonly kind: 'json';
  readonly file: string;
  readonly text: string;
}

/** Module with fresh state in every run. */
export type FreshUnit = EsmUnit | CjsUnit | JsonUnit;
export type Unit = SharedUnit | FreshUnit;

/** Compiles one module of the user. Throws SyntaxError as loading it would. */
export function compileUnit(
  file: string,
  source: Omit<ModuleSource, 'isByOthers'>,
  cacheDir?: string,
): FreshUnit {
  if (source.format === 'json') return { kind: 'json', file, text: source.text };
  const untyped = () => (source.isTyped ? stripTypes(source.text) : source.text);
  if (source.format === 'commonjs') {
    const text = rewriteCommonJS(untyped());
    const body = compileFunction(text, CJS_PARAMETERS, { ...BY_NODE, filename: file }) as CjsUnit['body'];
    return { kind: 'cjs', file, body };
  }
  const make = () => rewriteModule(untyped(), file);
  const plan = cacheDir ? cachedPlan(cacheDir, source.text, make) : make();
  const url = pathToFileURL(file).href;
  // The columns of the first line, too, are those of the user's text.
  const script = new Script(plan.text, { ...BY_NODE, filename: url, columnOffset: -plan.shift });
  const instantiate = script.runInThisContext() as EsmUnit['instantiate'];
  return { kind: 'esm', file, url, plan, instantiate, requests: [], starNames: [] };
}

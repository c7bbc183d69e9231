/** All modules that were ever asked for, each compiled once, and what Node's linking would check. */
import { isBuiltin } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiledText } from '../loader/compiled.ts';
import { foreignExtension } from '../loader/own-require.ts';
import { NotLinkable } from './errors.ts';
import { askLoaders, type Given } from './loaders.ts';
import { type ModuleTarget, requireOf, resolveImport, resolveRequire, target } from './resolve.ts';
import { isRequired, readModule, type Transform } from './source.ts';
import {
  compileUnit,
  type EsmUnit,
  type FreshUnit,
  type Namespace,
  type SharedUnit,
  type Unit,
} from './unit.ts';

/** What importers get of a module, by its URL. */
interface Adopt {
  /** The exports of an ES module, some of them replaced. */
  module(url: string, exports: Namespace): Readonly<Record<PropertyKey, unknown>>;
  commonjs(url: string, exports: unknown): unknown;
}

/** Loaders of the user: those of `require` alone, or those of `import` as well, by which a process loads its program then. */
export type ViaLoaders = 'require' | 'import' | false;

export interface GraphOptions {
  /** True for files whose state must be fresh in every run; all others are loaded by Node, once. */
  readonly isFresh: (file: string) => boolean;
  /** Done to the text of every fresh module; keeps lines. */
  readonly transform: Transform;
  /** Where rewritten modules are kept; nowhere when absent. */
  readonly cacheDir?: string;
  /** Sees what a fresh module exports before its importers do. */
  readonly adopt?: Adopt;
  /** Modules given by the caller instead of loaded, by URL (`node:test`). */
  readonly provided?: ReadonlyMap<string, Namespace>;
  /**
   * Fresh modules are found and read by the loaders of this process, in which `transform` has its place by itself: those of
   * `import`, and those of `require`.
   */
  readonly viaLoaders?: ViaLoaders;
}

const FRESH_KINDS = /\.(?:[cm]?[jt]s|json)$/;

export class ModuleGraph {
  private readonly units = new Map<string, Unit>();
  private readonly asked = new Map<string, Unit>();
  private readonly ready = new Map<string, Unit>();
  /** Modules whose own `import('…')` were looked at: two modules may import each other so. */
  private readonly lookedAhead = new Set<EsmUnit>();
  private readonly linked = new Set<EsmUnit>();
  /** What loaders have said, by importer and specifier. */
  private readonly given = new Map<string, ModuleTarget>();
  /** Settled when the loaders are asked for nothing. */
  private asking: Promise<unknown> = Promise.resolve();
  readonly options: GraphOptions;
  /** A fresh module was read by others than Node: what an error says of lines and names may differ. */
  hasOthersText = false;

  constructor(options: GraphOptions) {
    this.options = options;
  }

  /** A module by path, with all that it imports, ready to be instantiated. */
  async load(file: string): Promise<Unit> {
    const known = this.loaded(file);
    if (known) return known;
    const { href: url } = pathToFileURL(file);
    const unit = await this.complete(this.requiredFirst(file, url) ?? this.unit(await this.first(file, url)));
    this.ready.set(file, unit);
    return unit;
  }

  private async first(file: string, url: string): Promise<ModuleTarget> {
    return this.options.viaLoaders ? this.prepared(url, null) : { kind: 'file', file, url };
  }

  /** The file that a process begins with, where loaders of `require` alone have it; null where it is not theirs. */
  private requiredFirst(file: string, url: string): Unit | null {
    if (this.options.viaLoaders !== 'require' || !isRequired(file)) return null;
    const unit = this.unit({ kind: 'file', file, url });
    if (unit.kind !== 'esm') return unit;
    this.units.delete(url);
    return null;
  }

  /** The same, for a file that was loaded before. */
  loaded(file: string): Unit | undefined {
    return this.ready.get(file);
  }

  /** A module as `import(specifier)` in `parent` finds it. */
  async imported(specifier: string, parent: string): Promise<Unit> {
    const key = `import\0${specifier}\0${parent}`;
    const known = this.asked.get(key);
    if (known) return known;
    const found = this.options.viaLoaders
      ? await this.prepared(specifier, parent)
      : resolveImport(specifier, parent);
    const unit = await this.complete(this.unit(found));
    this.asked.set(key, unit);
    return unit;
  }

  /** A module as `require(specifier)` in `parent` finds it. */
  required(specifier: string, parent: string): Unit {
    const key = `require\0${specifier}\0${parent}`;
    let unit = this.asked.get(key);
    if (!unit) {
      unit = this.unit(resolveRequire(specifier, parent));
      // Whoever requires a shared module has it from Node, in its own name.
      for (const u of reachable(unit))
        if (u !== unit && u.kind === 'shared' && !u.namespace) u.namespace = viaRequire(u.url);
      this.linkAll(unit);
      this.asked.set(key, unit);
    }
    return unit;
  }

  private isFresh(target: ModuleTarget): target is ModuleTarget & { kind: 'file' } {
    if (target.kind !== 'file') return false;
    const { file } = target;
    return (FRESH_KINDS.test(file) || foreignExtension(extname(file)) !== null) && this.options.isFresh(file);
  }

  /** Has the loaders find and read a module with all that it imports; one after the other, all of it or nothing. */
  private prepared(specifier: string, parent: string | null): Promise<ModuleTarget> {
    const before = this.asking;
    const asked = async (): Promise<ModuleTarget> => {
      await before;
      const [given, units] = [new Set(this.given.keys()), new Set(this.units.keys())];
      try {
        return await this.prepare(specifier, parent);
      } catch (error) {
        for (const key of this.given.keys()) if (!given.has(key)) this.given.delete(key);
        for (const url of this.units.keys()) if (!units.has(url)) this.units.delete(url);
        throw error;
      }
    };
    const answer = asked();
    this.asking = answer.catch(() => {});
    return answer;
  }

  private async prepare(specifier: string, parent: string | null): Promise<ModuleTarget> {
    const key = `${specifier}\0${parent}`;
    const known = this.given.get(key);
    if (known) return known;
    const importer = parent === null ? undefined : pathToFileURL(parent).href;
    const isRead = (url: string) => this.isFresh(target(url)) && !this.units.has(target(url).url);
    const given: Given = isBuiltin(specifier)
      ? { url: specifier.startsWith('node:') ? specifier : `node:${specifier}`, format: null, source: null }
      : await askLoaders(specifier, importer, isRead);
    const found = target(given.url);
    this.given.set(key, found);
    if (found.kind === 'file' && given.source !== null && !this.units.has(found.url)) {
      const unit = compileGiven(found.file, given, this.options.cacheDir);
      this.units.set(found.url, unit);
      if (unit.kind === 'esm') {
        const requests: ModuleTarget[] = [];
        for (const each of unit.plan.requests) requests.push(await this.prepare(each, unit.file));
        unit.requests = requests.map((each) => this.unit(each));
      }
    }
    return found;
  }

  private unit(target: ModuleTarget): Unit {
    const known = this.units.get(target.url);
    if (known) return known;
    if (!this.isFresh(target)) {
      const namespace = this.options.provided?.get(target.url) ?? null;
      const unit: SharedUnit = { kind: 'shared', url: target.url, namespace, provided: namespace !== null };
      this.units.set(target.url, unit);
      return unit;
    }
    const unit = this.compiled(target.file);
    this.units.set(target.url, unit);
    if (unit.kind === 'esm') {
      try {
        unit.requests = unit.plan.requests.map((s) => this.unit(resolveImport(s, unit.file)));
      } catch (error) {
        this.units.delete(target.url);
        throw error;
      }
    }
    return unit;
  }

  private compiled(file: string): FreshUnit {
    const { transform, cacheDir, viaLoaders } = this.options;
    const source = readModule(file, transform, Boolean(viaLoaders));
    this.hasOthersText ||= source.isByOthers;
    return compileUnit(file, source, cacheDir);
  }

  /** Loads the shared modules that a graph needs and checks its names. */
  private async complete(root: Unit): Promise<Unit> {
    for (const unit of reachable(root)) {
      if (unit.kind === 'shared') unit.namespace ??= (await import(unit.url)) as Namespace;
    }
    this.linkAll(root);
    for (const unit of reachable(root)) {
      if (unit.kind !== 'esm' || this.lookedAhead.has(unit)) continue;
      this.lookedAhead.add(unit);
      // Best effort, so that the first run finds what later runs find; a failure belongs to the program.
      for (const specifier of unit.plan.dynamic) {
        await this.imported(specifier, unit.file).catch((error: unknown) => {
          if (!this.options.viaLoaders || !(error instanceof NotLinkable)) return;
          this.lookedAhead.delete(unit);
          throw error;
        });
      }
    }
    return root;
  }

  private linkAll(root: Unit): void {
    for (const unit of reachable(root)) {
      if (unit.kind !== 'esm' || this.linked.has(unit)) continue;
      unit.starNames = starNames(unit);
      for (const { request, name } of unit.plan.imports) checkName(unit, request, name);
      this.linked.add(unit);
    }
  }
}

function compileGiven(file: string, { format, source }: Given, cacheDir: string | undefined) {
  const [kind, typed] = format?.split('-') ?? [];
  if (kind !== 'json' && kind !== 'module' && kind !== 'commonjs')
    throw new NotLinkable(file, `${format} is loaded by other ways, and there are loaders`);
  const text = kind === 'commonjs' ? compiledText(source!, file) : source!;
  return compileUnit(file, { format: kind, text, isTyped: typed === 'typescript' }, cacheDir);
}

/** A shared module for a caller that cannot wait. */
function viaRequire(url: string): Namespace {
  const exports: unknown = requireOf(import.meta.filename)(
    url.startsWith('file:') ? fileURLToPath(url) : url,
  );
  if (Object.prototype.toString.call(exports) === '[object Module]') return exports as Namespace;
  return { __proto__: null, ...(exports as object), default: exports } as Namespace;
}

/** A module and all that it imports, each once, what is imported before what imports it. */
export function reachable(root: Unit): Unit[] {
  const order: Unit[] = [];
  const seen = new Set<Unit>();
  const visit = (unit: Unit): void => {
    if (seen.has(unit)) return;
    seen.add(unit);
    if (unit.kind === 'esm') unit.requests.forEach(visit);
    order.push(unit);
  };
  visit(root);
  return order;
}

/** Names that a module exports; null when only running it would tell. */
function exportNames(unit: Unit, seen = new Set<Unit>()): Set<string> | null {
  if (unit.kind === 'cjs') return null;
  if (unit.kind === 'json') return new Set(['default']);
  if (unit.kind === 'shared') return new Set(Object.keys(unit.namespace!));
  const names = new Set(unit.plan.exports.keys());
  if (seen.has(unit)) return names;
  seen.add(unit);
  for (const star of unit.plan.stars) {
    const more = exportNames(unit.requests[star]!, seen);
    if (!more) throw new NotLinkable(unit.file, 'export * from a CommonJS module');
    for (const name of more) if (name !== 'default') names.add(name);
  }
  return names;
}

/** The binding that a name of a module leads to, as a key; null when nowhere or to several. */
function origin(unit: Unit, name: string, seen = new Set<string>()): string | null {
  const id = unit.kind === 'shared' ? unit.url : unit.file;
  if (unit.kind === 'shared') return name in unit.namespace! ? `${id}\0${name}` : null;
  if (unit.kind !== 'esm') return `${id}\0${name}`;
  if (seen.has(`${id}\0${name}`)) return null;
  seen.add(`${id}\0${name}`);
  const own = unit.plan.exports.get(name);
  if (own === null) return `${id}\0${name}`;
  if (own) {
    const from = unit.requests[own.request]!;
    return own.name === '*'
      ? `${from.kind === 'shared' ? from.url : from.file}\0*`
      : origin(from, own.name, seen);
  }
  if (name === 'default') return null;
  const found = new Set<string>();
  for (const star of unit.plan.stars) {
    const there = origin(unit.requests[star]!, name, seen);
    if (there) found.add(there);
  }
  return found.size === 1 ? [...found][0]! : null;
}

function starNames(unit: EsmUnit): EsmUnit['starNames'] {
  const names = new Map<string, Unit>();
  for (const star of unit.plan.stars) {
    const from = unit.requests[star]!;
    const there = exportNames(from);
    if (!there) throw new NotLinkable(unit.file, 'export * from a CommonJS module');
    for (const name of there) {
      // A name that two modules give is nobody's, unless both lead to one binding.
      if (name === 'default' || unit.plan.exports.has(name) || names.has(name)) continue;
      // What leads back here leads nowhere: another one may have the name.
      if (origin(unit, name) && origin(from, name, new Set([`${unit.file}\0${name}`]))) names.set(name, from);
    }
  }
  return [...names].map(([name, from]) => ({ name, from, imported: name }));
}

function checkName(unit: EsmUnit, request: number, name: string): void {
  const from = unit.requests[request]!;
  if (name === '*' || from.kind === 'cjs' || origin(from, name)) return;
  const specifier = unit.plan.requests[request];
  throw new SyntaxError(
    `${unit.file}: The requested module '${specifier}' does not provide an export named '${name}'`,
  );
}

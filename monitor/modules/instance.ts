/** The modules of one run: every fresh unit instantiated and evaluated at most once, in Node's order. */
import { Module } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ModuleGraph, reachable } from './graph.ts';
import { requireOf, resolveImport } from './resolve.ts';
import type { CjsUnit, EsmUnit, ModuleLinks, Namespace, Unit } from './unit.ts';

/** Node's own cache, in which some look for who requires them. */
const { _cache: known } = Module as unknown as { _cache: Record<string, NodeModule> };
/** Modules of runs that stand there; what Node has loaded by itself stays. */
const shown = new WeakSet<NodeModule>();

interface EsmRecord {
  readonly namespace: Namespace;
  /** Runs the body; a promise where it has an `await` of its own. */
  readonly begin: () => void | Promise<void>;
  state: 'linked' | 'evaluating' | 'evaluated' | 'failed';
  error: unknown;
  /** Settled when the body and all it waited for are done; null when that happened at once. */
  promise: Promise<void> | null;
}

export class ModuleInstance {
  private readonly graph: ModuleGraph;
  private readonly main: string | null;
  private readonly modules = new Map<EsmUnit, EsmRecord>();
  /** Namespaces of CommonJS and JSON modules as `import` sees them. */
  private readonly synthetic = new Map<Unit, Namespace>();
  /** This run's `require.cache`, in which a program may put what others are to get for a package. */
  private readonly cache: Record<string, NodeModule> = Object.create(null);
  private runner: NodeModule | null = null;

  /** `main` is the file for which `import.meta.main` and `require.main === module` hold. */
  constructor(graph: ModuleGraph, main: string | null = null) {
    this.graph = graph;
    this.main = main;
  }

  /** Imports a file into this run. */
  async import(file: string): Promise<Namespace> {
    const unit = this.graph.loaded(file) ?? (await this.graph.load(file));
    // Node evaluates ES modules in a microtask: what they leave to microtasks comes before their first ticks.
    if (unit.kind === 'esm') await null;
    return this.enter(unit);
  }

  /** Runs the script of a process: as CommonJS within this call, as Node does; null where that was all. */
  start(file: string): Promise<Namespace> | null {
    const unit = this.graph.loaded(file);
    if (unit?.kind !== 'cjs') return this.import(file);
    this.link(unit);
    this.fill(unit);
    return null;
  }

  private async enter(unit: Unit): Promise<Namespace> {
    const namespace = this.link(unit);
    await this.evaluate(unit);
    return namespace;
  }

  /** Instantiates a module and all it imports; no user code runs. */
  private link(unit: Unit): Namespace {
    if (unit.kind === 'shared') return unit.namespace!;
    if (unit.kind !== 'esm') {
      let namespace = this.synthetic.get(unit);
      if (!namespace) {
        namespace = Object.create(null) as Namespace;
        if (unit.kind === 'json') namespace['default'] = JSON.parse(unit.text);
        this.synthetic.set(unit, namespace);
      }
      return namespace;
    }
    const known = this.modules.get(unit);
    if (known) return known.namespace;
    const links: ModuleLinks = {
      ns: null,
      meta: unit.plan.meta ? this.meta(unit) : null,
      load: async (specifier) => this.enter(await this.graph.imported(String(specifier), unit.file)),
      go: null,
    };
    const { instantiate } = unit; // A module has no `this`.
    let begin: () => void | Promise<void>;
    let namespace: Namespace;
    if (!unit.plan.async) {
      const body = instantiate(links) as Generator;
      body.next();
      begin = () => void body.next();
      namespace = links.ns!;
    } else if (isInCycle(unit)) {
      // Those that import it in a circle may call its functions before it begins.
      const { promise, resolve } = Promise.withResolvers<void>();
      links.go = promise;
      const body = instantiate(links) as Promise<void>;
      begin = () => {
        resolve();
        return body;
      };
      namespace = links.ns!;
    } else {
      // Its body runs up to the first `await` before the modules that come after it.
      begin = () => instantiate(links) as Promise<void>;
      namespace = forwarding(unit, links);
    }
    this.modules.set(unit, { namespace, begin, state: 'linked', error: null, promise: null });
    for (let i = 0; i < unit.requests.length; i++) links[`m${i}`] = this.link(unit.requests[i]!);
    for (const { name, from, imported } of unit.starNames) {
      const source = this.link(from);
      Object.defineProperty(namespace, name, { enumerable: true, get: () => source[imported] });
    }
    Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Module' });
    Object.preventExtensions(namespace);
    return namespace;
  }

  private meta(unit: EsmUnit): ImportMeta {
    return {
      __proto__: null,
      dirname: dirname(unit.file),
      filename: unit.file,
      main: unit.file === this.main,
      resolve: (specifier: string) => resolveImport(specifier, unit.file).url,
      url: unit.url,
    } as unknown as ImportMeta;
  }

  /** Runs a module after all it imports; a promise when something in there awaits. */
  private evaluate(unit: Unit): Promise<void> | null {
    if (unit.kind === 'cjs') this.fill(unit);
    if (unit.kind !== 'esm') return null;
    const record = this.modules.get(unit)!;
    if (record.state === 'failed') throw record.error;
    // Being evaluated further up: a cycle. Node runs the importer first, too.
    if (record.state !== 'linked') return record.promise;
    record.state = 'evaluating';
    try {
      const waits: Promise<void>[] = [];
      for (const request of unit.requests) {
        const wait = this.evaluate(request);
        if (wait) waits.push(wait);
      }
      if (waits.length === 0 && !unit.plan.async) {
        record.begin();
        this.evaluated(unit, record);
        return null;
      }
      record.promise = this.finish(unit, record, waits);
      record.promise.catch(() => {});
      return record.promise;
    } catch (error) {
      record.state = 'failed';
      record.error = error;
      throw error;
    }
  }

  private evaluated(unit: EsmUnit, record: EsmRecord): void {
    record.state = 'evaluated';
    const { namespace } = record;
    const exports = this.graph.options.adopt?.module(unit.url, namespace) ?? namespace;
    if (exports !== namespace)
      for (const [name, value] of Object.entries(exports))
        if (name in namespace && namespace[name] !== value)
          Object.defineProperty(namespace, name, { value, enumerable: true });
    Object.seal(namespace);
  }

  private async finish(unit: EsmUnit, record: EsmRecord, waits: Promise<void>[]): Promise<void> {
    try {
      if (waits.length > 0) await Promise.all(waits);
      await record.begin();
      this.evaluated(unit, record);
    } catch (error) {
      record.state = 'failed';
      record.error = error;
      throw error;
    }
  }

  /** What `import` sees of a CommonJS module: a snapshot of its exports after it ran. */
  private fill(unit: CjsUnit): void {
    const namespace = this.synthetic.get(unit)!;
    if ('module.exports' in namespace) return;
    const exports = this.runCommonJS(unit).exports as Record<string, unknown> | null;
    if (exports !== null && (typeof exports === 'object' || typeof exports === 'function')) {
      for (const key of Object.keys(exports)) namespace[key] = exports[key];
    }
    namespace['default'] = exports;
    namespace['module.exports'] = exports;
  }

  /** `parent` is who requires it, which many programs ask to know whether they were started or are a part of another. */
  private runCommonJS(unit: CjsUnit, parent?: NodeModule): NodeModule {
    const { file } = unit;
    const cached = this.cache[file];
    if (cached) {
      if (parent && !parent.children.includes(cached)) parent.children.push(cached);
      return cached;
    }
    const module = this.newModule(file, file === this.main ? null : parent);
    this.cache[file] = module;
    show(module);
    const require = this.requireIn(unit, module);
    module.require = require;
    const load = async (specifier: unknown) => this.enter(await this.graph.imported(String(specifier), file));
    try {
      unit.body.call(module.exports, module.exports, require, module, file, dirname(file), load);
    } catch (error) {
      delete this.cache[file];
      if (known[file] === module) delete known[file];
      throw error;
    }
    const { adopt } = this.graph.options;
    if (adopt) module.exports = adopt.commonjs(pathToFileURL(file).href, module.exports);
    module.loaded = true;
    return module;
  }

  private newModule(file: string, parent: NodeModule | null | undefined): NodeModule {
    const module = new Module(file, parent as NodeModule) as NodeModule;
    module.filename = file;
    module.paths = requireOf(file).resolve.paths('x') ?? [];
    if (file === this.main) module.id = '.';
    return module;
  }

  /** What the process was started with: where that is a runner, which belongs to no run, a module in its name. */
  private mainModule(): NodeModule | undefined {
    if (this.main === null || this.graph.loaded(this.main)?.kind === 'esm') return undefined;
    this.runner ??= Object.assign(this.newModule(this.main, null), { loaded: true });
    return this.cache[this.main] ?? this.runner;
  }

  /** Null: Node finds no such module. */
  private required(specifier: string, parent: string): Unit | null {
    try {
      return this.graph.required(specifier, parent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException | null)?.code === 'MODULE_NOT_FOUND') return null;
      throw error;
    }
  }

  private requireIn(unit: CjsUnit, module: NodeModule): NodeJS.Require {
    const native = requireOf(unit.file);
    const require = (specifier: string): unknown => {
      const wanted = this.required(specifier, unit.file);
      // Node says so, in words of its own, or whoever has come between has it.
      if (wanted === null) return native(specifier);
      switch (wanted.kind) {
        case 'shared': {
          const put = this.cache[wanted.url.startsWith('file:') ? fileURLToPath(wanted.url) : specifier];
          if (put) return put.exports;
          return wanted.provided ? commonExports(wanted.namespace!) : native(specifier);
        }
        case 'cjs':
          return this.runCommonJS(wanted, module).exports;
        case 'json':
          return this.link(wanted)['default'];
        case 'esm': {
          const namespace = this.link(wanted);
          if (this.evaluate(wanted)) throw asyncModule(wanted.file);
          return commonExports(namespace);
        }
      }
    };
    return Object.assign(require, {
      resolve: native.resolve,
      cache: this.cache,
      main: this.mainModule(),
      extensions: native.extensions,
    }) as unknown as NodeJS.Require;
  }
}

function show(module: NodeModule): void {
  const { filename } = module;
  const before = known[filename];
  if (before !== undefined && !shown.has(before)) return;
  known[filename] = module;
  shown.add(module);
}

/** Whether a module imports itself by way of others. */
const isInCycle = (unit: EsmUnit): boolean =>
  unit.requests.some((request) => reachable(request).includes(unit));

/** The namespace of a module whose body has not begun: until then its names are in their dead zone. */
function forwarding(unit: EsmUnit, links: ModuleLinks): Namespace {
  const namespace: Namespace = Object.create(null);
  for (const name of [...unit.plan.exports.keys()].sort()) {
    const get = () => {
      if (links.ns === null) throw new ReferenceError(`Cannot access '${name}' before initialization`);
      return links.ns[name];
    };
    Object.defineProperty(namespace, name, { enumerable: true, configurable: true, get });
  }
  return namespace;
}

const commonExports = (namespace: Namespace): unknown =>
  'module.exports' in namespace ? namespace['module.exports'] : namespace;

function asyncModule(file: string): Error {
  const error = new Error(`require() cannot be used on an ESM graph with top-level await: ${file}`);
  return Object.assign(error, { code: 'ERR_REQUIRE_ASYNC_MODULE' });
}

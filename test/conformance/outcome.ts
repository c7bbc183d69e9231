/** Runs one scenario, plainly or instrumented, and says in a word how it ended. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { type Context, compileFunction, type Module, SourceTextModule, SyntheticModule } from 'node:vm';
import type { Scenario } from './cases.ts';
import { type Realm, realm } from './realm.ts';

/** What is done to a text before it is run. */
export type Change = (text: string, kind: 'module' | 'commonjs', file: string) => string;

export interface Suite {
  /** The folder of the tests. */
  readonly tests: string;
  /** The folder of `assert.js` and its kin. */
  readonly harness: string;
}

/** Turns of the event loop that an asynchronous test may need: only `import()` waits for more than promises. */
const TURNS = 30;

/** `done`, or the phase and the name of the error that ended it. */
export async function outcome(suite: Suite, scenario: Scenario, change: Change): Promise<string> {
  const within = realm(suite.harness, scenario.includes);
  const run = scenario.mode === 'module' ? runModule : runFunction;
  const end = await run(join(suite.tests, scenario.file), scenario, within, change);
  return end !== 'done' || !scenario.async ? end : whatIsPrinted(within.printed);
}

async function whatIsPrinted(printed: readonly string[]): Promise<string> {
  for (let i = 0; i < TURNS && printed.length === 0; i++) await turn();
  return `printed ${printed.join(' ') || 'nothing'}`;
}

/** How the evaluation of a module ends. */
export async function ended(evaluation: Promise<string>, { async }: Scenario, printed: readonly string[]) {
  try {
    const end = await Promise.race([evaluation, later()]);
    return end === 'done' && async ? await whatIsPrinted(printed) : end;
  } catch (error) {
    return `run: ${named(error)}`;
  }
}

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];

/** A script is run as a module of CommonJS, which is what Node makes of it. */
async function runFunction(file: string, { mode }: Scenario, { context }: Realm, change: Change) {
  const head = mode === 'strict' ? '"use strict";\n' : '';
  const text = change(head + readFileSync(file, 'utf8').replace(/^#!/, '//'), 'commonjs', file);
  const modules = new Modules(context, change);
  let body: (...given: unknown[]) => unknown;
  try {
    body = compileFunction(text, PARAMETERS, {
      filename: file,
      parsingContext: context,
      importModuleDynamically: (specifier) => modules.imported(specifier, file),
    }) as typeof body;
  } catch (error) {
    return `compile: ${named(error)}`;
  }
  try {
    const exports = {};
    Reflect.apply(body, exports, [exports, undefined, { exports }, file, dirname(file)]);
    await turn();
    return 'done';
  } catch (error) {
    return `run: ${named(error)}`;
  }
}

async function runModule(file: string, scenario: Scenario, { context, printed }: Realm, change: Change) {
  const modules = new Modules(context, change);
  let root: Module;
  try {
    root = modules.at(file);
    await root.link((specifier, from) => modules.at(join(dirname(from.identifier), specifier)));
  } catch (error) {
    return `compile: ${named(error)}`;
  }
  return ended(
    root.evaluate().then(() => 'done'),
    scenario,
    printed,
  );
}

async function later(): Promise<string> {
  for (let i = 0; i < TURNS; i++) await turn();
  return 'run: never ends';
}

/** The modules of one test, each once. */
class Modules {
  readonly #context: Context;
  readonly #change: Change;
  readonly #known = new Map<string, Module>();

  constructor(context: Context, change: Change) {
    this.#context = context;
    this.#change = change;
  }

  at(file: string): Module {
    let module = this.#known.get(file);
    if (module === undefined) {
      module = this.#make(file);
      this.#known.set(file, module);
    }
    return module;
  }

  async imported(specifier: string, from: string): Promise<Module> {
    const module = this.at(join(dirname(from), specifier));
    if (module.status === 'unlinked') {
      await module.link((inner, { identifier }) => this.at(join(dirname(identifier), inner)));
    }
    if (module.status !== 'evaluating') await module.evaluate();
    return module;
  }

  #make(file: string): Module {
    const context = this.#context;
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.json')) {
      const value = JSON.parse(text);
      return new SyntheticModule(
        ['default'],
        function () {
          this.setExport('default', value);
        },
        { context, identifier: file },
      );
    }
    return new SourceTextModule(this.#change(text, 'module', file), {
      context,
      identifier: file,
      initializeImportMeta: (meta) => {
        meta.url = `file://${file}`;
      },
      importModuleDynamically: (specifier) => this.imported(specifier, file),
    });
  }
}

/** The name of an error, and the words of those that assertions throw. */
export function named(error: unknown): string {
  if (error === null || typeof error !== 'object') return String(error);
  const name = String((error as any).constructor?.name);
  return name === 'Test262Error' ? `${name} ${(error as any).message}` : name;
}

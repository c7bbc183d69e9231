/** A global object of its own for one test, with what test262 asks of a host. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, createContext, Script } from 'node:vm';
import { patchToString } from '../../monitor/runtime/index.ts';

export interface Realm {
  readonly context: Context;
  /** What the test printed. */
  readonly printed: string[];
}

const scripts = new Map<string, Script>();

/** Makes a realm and runs files of the harness in it. */
export function realm(harness: string, includes: readonly string[]): Realm {
  const printed: string[] = [];
  const context = bare((text) => printed.push(text));
  for (const file of includes) {
    let script = scripts.get(file);
    if (script === undefined) {
      script = new Script(readFileSync(join(harness, file), 'utf8'), { filename: file });
      scripts.set(file, script);
    }
    script.runInContext(context);
  }
  return { context, printed };
}

function bare(print: (text: string) => void): Context {
  const context = createContext();
  const global = new Script('globalThis').runInContext(context);
  const hidden = (name: string, value: unknown) =>
    Object.defineProperty(global, name, { value, writable: true, configurable: true, enumerable: false });
  hidden('__cov', (globalThis as any).__cov);
  hidden('print', (text: unknown) => print(String(text)));
  hidden('$262', {
    createRealm: () => new Script('$262').runInContext(bare(print)),
    evalScript: (text: string) => new Script(text).runInContext(context),
    detachArrayBuffer: (buffer: ArrayBuffer) => structuredClone(buffer, { transfer: [buffer] }),
    gc: () => {
      throw new Error('no collector');
    },
    global,
    agent: {},
  });
  patchToString(global);
  return context;
}

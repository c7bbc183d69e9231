/** What a program with workers may use and nobody looks at: it is told, and counted in the report. */
import { replaceMethod } from '../../monitor/replace.ts';
import { sharedMemory } from '../../monitor/threads/wasm.ts';
import type { Notes } from './notes.ts';

type UnseenMethods = Record<string, (...args: unknown[]) => unknown>;
type Instance = { readonly exports: object };

/** Code of WebAssembly over shared memory: its own accesses are not seen. */
export function tellUnseen(notes: Notes): void {
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: UnseenMethods };
  const look = (values: object | undefined): void => {
    if (Object.values(values ?? {}).some((each) => typeof each === 'object' && each && sharedMemory(each)))
      notes.tell({ unseen: 'shared memory in WebAssembly code' });
  };
  const given = (imports: unknown): void => {
    for (const module of Object.values((imports as Record<string, object> | undefined) ?? {})) look(module);
  };
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const original = wasm[name];
    if (!original) continue;
    replaceMethod(wasm, name, (source: unknown, imports: unknown, ...rest: unknown[]) => {
      given(imports);
      const made = original.call(wasm, source, imports, ...rest) as Promise<
        Instance | { instance: Instance }
      >;
      made.then(
        (result) => look(('instance' in result ? result.instance : result).exports),
        () => {},
      );
      return made;
    });
  }
  const Native = wasm['Instance'] as unknown as new (...args: unknown[]) => Instance;
  const Instance: typeof Native = new Proxy(Native, {
    construct(target, args, called) {
      given(args[1]);
      const instance = Reflect.construct(target, args, called === Instance ? target : called) as Instance;
      look(instance.exports);
      return instance;
    },
  });
  Object.defineProperty(wasm, 'Instance', {
    value: Instance,
    ...{ writable: true, configurable: true, enumerable: false },
  });
}

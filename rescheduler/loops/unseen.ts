/** What a program with workers may use and nobody looks at: it is told, and counted in the report. */
import workerThreads from 'node:worker_threads';
import type { Notes } from './notes.ts';

type Holder = Record<string, new (...args: any[]) => object>;

/** Takes effect with the next `syncBuiltinESMExports`. */
export function tellUnseen(notes: Notes): void {
  for (const holder of [globalThis, workerThreads] as unknown as Holder[])
    watch(holder, 'BroadcastChannel', () => notes.tell({ unseen: 'BroadcastChannel' }));
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: Holder };
  watch(wasm, 'Memory', (options) => {
    if ((options as { shared?: unknown } | undefined)?.shared)
      notes.tell({ unseen: 'shared memory of WebAssembly' });
  });
}

function watch(holder: Holder, name: string, made: (argument: unknown) => void): void {
  const value: Holder[string] = new Proxy(holder[name]!, {
    construct(target, args, called) {
      made(args[0]);
      return Reflect.construct(target, args, called === value ? target : called) as object;
    },
  });
  Object.defineProperty(holder, name, { value, writable: true, configurable: true, enumerable: false });
}

/**
 * `WebAssembly.compileStreaming` and `instantiateStreaming`. The engine is at work from the last byte on: what is awaited before is
 * the body of a response, whose bytes come in turns of their own.
 */
import { wrapMethod } from '../replace.ts';
import { whenLoaded } from './builtins.ts';
import { isUncached } from './compiled.ts';
import type { HostJob, JobPlace } from './job.ts';
import type { Call } from './net/binding.ts';

export const STREAMING = ['compileStreaming', 'instantiateStreaming'];

/** What Node hands the bytes of a response to. */
interface StreamState {
  push(chunk: ArrayBuffer | ArrayBufferView): void;
  finish(): void;
}

/** By response: what begins the job when all of its bytes are there. */
const waiting = new WeakMap<object, (place: JobPlace) => void>();

/** Notes when the last byte of a response is there. */
export function watchStreams(): void {
  whenLoaded<object>('internal/wasm_web_api', (exports) =>
    wrapMethod(
      exports,
      'wasmStreamingCallback',
      (native) =>
        function (this: unknown, state: StreamState, source: unknown) {
          const complete = waiting.get(source as object);
          waiting.delete(source as object);
          if (complete) watchState(state, complete);
          return native.call(this, state, source);
        },
    ),
  );
}

function watchState(state: StreamState, complete: (place: JobPlace) => void): void {
  const { push, finish } = state;
  const chunks: Uint8Array[] = [];
  state.push = function (chunk) {
    push.call(this, chunk);
    // The program may write into its chunk later.
    chunks.push(copyOf(chunk));
  };
  state.finish = function () {
    complete(isUncached(Buffer.concat(chunks)) ? 'twice' : 'soon');
    finish.call(this);
  };
}

function copyOf(chunk: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (!ArrayBuffer.isView(chunk)) return new Uint8Array(chunk).slice();
  return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength).slice();
}

/** The method, whose answer is held from the job on that `start` begins. */
export function withStream(native: Call, isActive: () => boolean, start: (place: JobPlace) => HostJob): Call {
  return function (this: unknown, ...args) {
    if (!isActive()) return native.apply(this, args);
    let job: HostJob | null = null;
    const note = (source: unknown) => {
      if (source !== null && typeof source === 'object')
        waiting.set(source, (place) => {
          if (isActive()) job = start(place);
        });
    };
    const [source] = args;
    // Ours is called before that of the engine.
    if (source instanceof Promise) source.then(note, () => {});
    else note(source);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const come = (answer: () => void) => (job ? job.come(answer) : answer());
    (native.apply(this, args) as Promise<unknown>).then(
      (value) => come(() => resolve(value)),
      (error: unknown) => come(() => reject(error)),
    );
    return promise;
  };
}

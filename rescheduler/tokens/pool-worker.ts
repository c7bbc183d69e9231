/** A thread of the pool: runs one body of a harness again and again, with fresh module state each time. */
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Op } from '../../data/threads/trace.ts';
import { THREAD_HARNESSES, type ThreadHarness } from '../../harnesses/api.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { requireAdapters } from '../../monitor/locks/user.ts';
import { adoptMemory } from '../../monitor/threads/memory.ts';
import type { SharedView } from '../../monitor/threads/views.ts';
import { type Control, H, SIGNAL } from './control.ts';
import { FreeHolder } from './free-holder.ts';
import { Holder, Stop } from './holder.ts';
import { threadLinker } from './linker.ts';
import { installRuntime } from './thread-runtime.ts';
import { type Thrown, thrownBy } from './thrown.ts';

/** What a thread of the pool is given. */
export interface PoolThread {
  readonly control: Control;
  readonly self: number;
  readonly config: LoaderConfig;
  /** Absolute path of the harness file. */
  readonly file: string;
  readonly harness: string;
  readonly thread: string;
  /** Runs as it likes. */
  readonly free: boolean;
  readonly port: MessagePort;
}

/** The memory of the executions from now on. */
export interface MemoryMessage {
  readonly memory: unknown;
  readonly addresses: readonly number[];
}

/** What a thread tells at the end of an execution, where there is something to tell. */
export interface ThreadMessage {
  readonly thrown: Thrown | null;
  readonly views: readonly SharedView[] | null;
  /** Of a thread that runs freely: its events. */
  readonly numbered: Int32Array | null;
}

const { control, self, config, file, free, harness: name, thread, port } = workerData as PoolThread;
const { add, load, notify, store, wait } = Atomics;
const { words } = control;
const holder = free ? new FreeHolder(control, self) : new Holder(control, self);
const runtime = installRuntime(control, self, config, holder);
const { views } = runtime;
requireAdapters(config.locks);
const linker = threadLinker(runtime.loader);
let memory: unknown = null;

/** Evaluates the harness file anew. */
async function freshHarness(): Promise<ThreadHarness> {
  const own: ThreadHarness[] = [];
  (globalThis as { [THREAD_HARNESSES]?: ThreadHarness[] })[THREAD_HARNESSES] = own;
  await linker.instance().import(file);
  return own.find((each) => each.name === name)!;
}

/** What a body awaits could not be scheduled. @throws TypeError for a promise. */
function refusePromise(result: unknown): void {
  if (typeof (result as PromiseLike<unknown> | null | undefined)?.then !== 'function') return;
  Promise.resolve(result).catch(() => {});
  throw new TypeError(
    `thread '${thread}' returned a promise: bodies of threads are synchronous; programs that start their own workers may be async`,
  );
}

async function execute(): Promise<void> {
  let thrown: Thrown | null = null;
  const failed = (error: unknown): void => {
    // What a thread that was stopped throws on its way out is its cleaning up: a lock that it gives back twice.
    if (error instanceof Stop || load(words, H.Signal) === SIGNAL.Ended) return;
    thrown = thrownBy(error);
    words[H.Failed]! += 1;
  };
  let body: (() => unknown) | null = null;
  try {
    const message = receiveMessageOnPort(port)?.message as MemoryMessage | undefined;
    if (message) {
      memory = message.memory;
      adoptMemory(memory, message.addresses, views);
    }
    views.forget();
    runtime.reset();
    const harness = await freshHarness();
    const state = harness.attach(memory);
    body = () => harness.threads[thread]!(state);
  } catch (error) {
    failed(error);
  }
  try {
    holder.begin();
    if (body) {
      holder.log(Op.Begin, -1, 0);
      try {
        refusePromise(body());
      } catch (error) {
        failed(error);
      }
      holder.log(Op.End, -1, 0);
    }
    holder.end();
  } catch (error) {
    failed(error);
  } finally {
    holder.quiet = 1;
  }
  const wanted = words[H.Recording] === 1;
  const numbered = holder instanceof FreeHolder ? holder.numbered : null;
  if (thrown || wanted || numbered)
    port.postMessage({ thrown, views: wanted ? views.all : null, numbered } satisfies ThreadMessage);
}

for (let generation = 0; ; ) {
  while (load(words, H.Generation) === generation) wait(words, H.Generation, generation);
  generation = load(words, H.Generation);
  if (generation < 0) break;
  await execute();
  if (add(words, H.Unwound, 1) + 1 < words[H.Threads]!) continue;
  store(words, H.Signal, SIGNAL.Over);
  notify(words, H.Signal);
}

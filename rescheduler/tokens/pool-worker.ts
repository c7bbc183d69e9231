/** A thread of the pool: runs one body of a harness again and again, with fresh module state each time. */
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Op } from '../../data/threads/trace.ts';
import type { CallPlace } from '../../data/trace.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { requireAdapters } from '../../monitor/locks/user.ts';
import { installHooks } from '../../monitor/threads/hooks.ts';
import { adoptMemory } from '../../monitor/threads/memory.ts';
import { Registry } from '../../monitor/threads/registry.ts';
import type { SharedView } from '../../monitor/threads/views.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type Control, H, SIGNAL } from './control.ts';
import { Files } from './file-cells.ts';
import { FreeHolder } from './free-holder.ts';
import { Holder, ThreadStopped } from './holder.ts';
import { threadLinker } from './linker.ts';
import type { LoopTold } from './loop-body.ts';
import { LoopHolder } from './loop-holder.ts';
import { Lookout } from './parking.ts';
import { type ThreadRole, threadProgram } from './registered.ts';
import { ThreadCallers } from './thread-callers.ts';
import { installRuntime } from './thread-runtime.ts';
import { type Thrown, thrownBy } from './thrown.ts';

/** What a thread of the pool is given. */
export interface PoolThread {
  readonly control: Control;
  /** See async-waiters.ts. */
  readonly asyncWaiters: Int32Array;
  /** See file-cells.ts. */
  readonly fileTable: Int32Array;
  readonly self: number;
  readonly config: LoaderConfig;
  /** Absolute path of the harness file. */
  readonly file: string;
  /** See {@link BodyMode}. */
  readonly manner: BodyMode;
  readonly port: MessagePort;
}

/** How bodies run: synchronous ones under the token or, `free`, as they like; asynchronous ones under the gate as well. */
export type BodyMode = 'controlled' | 'free' | 'loops';

/** The memory of the executions from now on. */
export interface MemoryMessage {
  readonly kind: 'memory';
  readonly memory: unknown;
  readonly addresses: readonly number[];
}

/** What is run from now on, and which of its threads this is. */
export interface RoleMessage {
  readonly kind: 'role';
  readonly role: ThreadRole;
  readonly thread: string;
}

/** In which order this thread takes the steps of its event loop in the next execution. */
export interface DeliveriesMessage {
  readonly kind: 'deliveries';
  readonly steps: readonly string[];
}

/** From where accesses at these places are called in the next execution is to be told. */
export interface CallsMessage {
  readonly kind: 'calls';
  readonly places: readonly string[];
}

/** What a thread tells at the end of an execution, where there is something to tell. */
export interface ThreadMessage {
  readonly thrown: Thrown | null;
  readonly views: readonly SharedView[] | null;
  /** Of a thread that runs freely: its events. */
  readonly numbered: Int32Array | null;
  /** The body is asynchronous, and nothing holds what it waits for: this execution does not count. */
  readonly asynchronous: boolean;
  /** Of an event loop under the gate. */
  readonly loop: LoopTold | null;
  /** By event, where that was asked for. */
  readonly callers: ReadonlyMap<number, readonly CallPlace[]> | null;
}

const { asyncWaiters, control, fileTable, self, config, file, manner, port } = workerData as PoolThread;
const { add, load, notify, store, wait } = Atomics;
const { words } = control;
const holder = newHolder();
// What the gate needs takes longer to load than a synchronous body to run; and it comes before any code of the user.
const loop = holder instanceof LoopHolder ? await import('./loop-body.ts') : null;
loop?.installGate();
const runtime = installRuntime(control, self, config, holder, loop ? 'gated' : 'virtual');
if (holder instanceof LoopHolder) holder.activations = runtime.activations;
const waits =
  loop && holder instanceof LoopHolder
    ? new loop.AsyncWaits(words, self, holder, runtime.views, runtime.pointHere)
    : null;
const { views } = runtime;
const files = new Files(fileTable, new Registry(control.registry));
requireAdapters(config.locks);
// The linker sees the user's own files; packages come from Node.
installHooks(runtime.loader);
const linker = threadLinker(runtime.loader);
let memory: unknown = null;
let role: RoleMessage | null = null;

function newHolder(): Holder {
  if (manner === 'loops') return new LoopHolder(control, self, asyncWaiters);
  return manner === 'free' ? new FreeHolder(control, self) : new Holder(control, self);
}

/** What is said of the execution that is about to begin. */
interface NextExecution {
  /** In which order the event loop is to take its steps. */
  deliveries: readonly string[] | null;
  callsAt: readonly string[] | null;
}

/** Takes what the main thread has sent. */
function receive(): NextExecution {
  const told: NextExecution = { deliveries: null, callsAt: null };
  for (;;) {
    const message = receiveMessageOnPort(port)?.message as
      | MemoryMessage
      | CallsMessage
      | DeliveriesMessage
      | RoleMessage
      | undefined;
    if (!message) return told;
    if (message.kind === 'deliveries') told.deliveries = message.steps;
    else if (message.kind === 'calls') told.callsAt = message.places;
    else if (message.kind === 'role') role = message;
    else {
      memory = message.memory;
      adoptMemory(memory, message.addresses, views);
    }
  }
}

/** Whether a body that has returned is not through: it has returned a promise, or left something to its event loop. */
function isUnfinished(result: unknown): boolean {
  if (typeof (result as PromiseLike<unknown> | null | undefined)?.then === 'function') {
    Promise.resolve(result).catch(() => {});
    return true;
  }
  return words[H.Recording] === 1 && process.getActiveResourcesInfo().some((kind) => WORK.test(kind));
}

/** What a body may have left behind; ports are ours. */
const WORK = /^(Timeout|Immediate|FSReq\w*|\w*Wrap)$/;

async function execute(): Promise<void> {
  let thrown: Thrown | null = null;
  let asynchronous = false;
  let told: LoopTold | null = null;
  const failed = (error: unknown): void => {
    // What a thread that was stopped throws on its way out is its cleaning up: a lock that it gives back twice.
    if (error instanceof ThreadStopped || load(words, H.Signal) === SIGNAL.Ended) return;
    thrown = thrownBy(error);
    words[H.Failed]! += 1;
  };
  let body: (() => unknown) | null = null;
  let strategy: Strategy | undefined;
  try {
    const { callsAt, deliveries } = receive();
    strategy = loop?.strategyFor(words, self, deliveries);
    holder.callers = callsAt && new ThreadCallers(runtime, config, callsAt);
    views.forget();
    runtime.reset();
    waits?.reset();
    files.reset();
    const { harness } = await threadProgram(linker, file, role!.role);
    const state = harness.attach(memory);
    const { thread } = role!;
    body = () => harness.threads[thread]!(state);
  } catch (error) {
    failed(error);
  }
  try {
    holder.begin();
    if (body) {
      holder.log(Op.Begin, -1, 0);
      try {
        if (holder instanceof LoopHolder) {
          const ran = await loop!.runBody(body, words, holder, waits!, files, strategy!);
          told = ran.told;
          if (ran.error) failed(ran.error.is);
        } else asynchronous = isUnfinished(body());
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
  const callers = holder.callers?.finish() ?? null;
  if (!(thrown || wanted || numbered || asynchronous || told || callers)) return;
  const seen = wanted ? views.all : null;
  const message: ThreadMessage = { thrown, views: seen, numbered, asynchronous, loop: told, callers };
  port.postMessage(message);
}

/** Who is through last expects the next execution at once; the others leave the processors to it and to the main thread. */
const lookout = new Lookout(words);
let isLast = false;
for (let generation = 0; ; ) {
  if (!isLast || !lookout.sees(H.Generation, generation))
    while (load(words, H.Generation) === generation) wait(words, H.Generation, generation);
  generation = load(words, H.Generation);
  if (generation < 0) break;
  await execute();
  isLast = add(words, H.Unwound, 1) + 1 === words[H.Threads]!;
  if (!isLast) continue;
  store(words, H.Signal, SIGNAL.Over);
  notify(words, H.Signal);
}

/**
 * A warm pool: one worker for each thread of a harness, executed again and again under the token. This is the main
 * thread's side; it takes no steps itself.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { CallPlace } from '../../data/trace.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { copyContents, sameShape, sharedParts } from '../../monitor/threads/memory.ts';
import { FIRST_ADDRESS, Registry } from '../../monitor/threads/registry.ts';
import type { SharedView } from '../../monitor/threads/views.ts';
import { roomFor } from '../../monitor/threads/wasm.ts';
import { entryUrl } from '../entry.ts';
import { ASYNC_WORDS } from './async-waiters.ts';
import { setEpoch } from './companions.ts';
import {
  type Control,
  H,
  newControl,
  OUTCOME,
  SIGNAL,
  setOrder,
  shared,
  type TokenOrder,
} from './control.ts';
import { FILE_WORDS } from './file-cells.ts';
import { inOrder } from './free-holder.ts';
import { type Strayed, strayedOf, type WaitingThread, waitingOf } from './left.ts';
import type { LoopTold } from './loop-body.ts';
import { unparkAll } from './parking.ts';
import type {
  BodyMode,
  CallsMessage,
  DeliveriesMessage,
  MemoryMessage,
  PoolThread,
  RoleMessage,
  ThreadMessage,
} from './pool-worker.ts';
import type { ThreadRole } from './registered.ts';
import type { Thrown } from './thrown.ts';

/** An {@link TokenOrder} of a pool. */
export interface PoolOrder extends TokenOrder {
  /** Keep the events and what names them. */
  readonly record: boolean;
  /** Record what the transactions are, too. */
  readonly transactions: boolean;
  readonly watchdogMs: number;
  /** By thread, the order in which its event loop takes its steps. */
  readonly steps?: readonly (readonly string[])[] | null;
  /** Tell from where accesses at these places are called; absent: none. */
  readonly callsAt?: readonly string[] | undefined;
}

export interface PoolExecution {
  readonly outcome: 'ended' | 'deadlock' | 'watchdog' | 'died';
  /** Why a grant could not be used up, and which. */
  readonly strayed: Strayed | null;
  readonly thrown: readonly { readonly thread: number; readonly what: Thrown }[];
  readonly waiting: readonly WaitingThread[];
  /** Events, in pieces of two words each. */
  readonly events: readonly Int32Array[];
  readonly switches: number;
  readonly views: readonly (readonly SharedView[])[];
  /** How threads ended that should not have. */
  readonly deaths: readonly string[];
  /** A body turned out to be asynchronous: only a pool of loops can run it. */
  readonly asynchronous: boolean;
  /** By event, where accesses were called from. */
  readonly callers: ReadonlyMap<number, readonly CallPlace[]>;
  /** By thread, where they have event loops. */
  readonly loops: readonly (LoopTold | null)[];
  /** What `check` is given; null where the threads did not all end. */
  readonly memory: unknown;
}

const LOG_EVENTS = 1 << 18;
const GRANTS = 1 << 20;
/** Between two looks at whether a worker has died. */
const LOOK_MS = 20;
/** Workers that have not come so far after so long do not come any more. */
const START_MS = 45_000;
/** Threads that are told to stop have so long to do it. */
const UNWIND_MS = 1000;

/** Control memory of a pool for so many threads. */
export const poolControl = (threads: number): Control => newControl(threads, GRANTS, LOG_EVENTS);

/** What became of an execution while the main thread waited for it. */
interface Watched {
  readonly pieces: Int32Array[];
  /** Who waits in a deadlock; null: there is none. */
  readonly waiting: readonly WaitingThread[] | null;
  /** All threads are through. */
  readonly unwound: boolean;
}

interface PoolMember {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** How it ended; null while it lives. */
  death: string | null;
}

const OUTCOMES = { [OUTCOME.Ended]: 'ended', [OUTCOME.Deadlock]: 'deadlock' } as const;

const { add, load, notify, store, wait } = Atomics;

export class Pool {
  readonly control: Control;
  private readonly manner: BodyMode;
  private readonly members: PoolMember[];
  private readonly registry: Registry;
  private readonly asyncWaiters: Int32Array;
  private readonly fileTable: Int32Array;
  private memory: unknown = undefined;
  private buffers: SharedArrayBuffer[] = [];
  private memoryEnd = FIRST_ADDRESS;
  /** Those of the program that is run. */
  names: readonly string[] = [];

  /** For programs of so many threads. `manner`: where it is free everything is recorded. */
  constructor(
    control: Control,
    file: string,
    threads: number,
    config: LoaderConfig,
    manner: BodyMode = 'controlled',
  ) {
    this.control = control;
    this.manner = manner;
    this.registry = new Registry(control.registry);
    this.asyncWaiters = shared(manner === 'loops' ? ASYNC_WORDS : 1);
    this.fileTable = shared(manner === 'loops' ? FILE_WORDS : 1);
    control.words[H.Generation] = 0;
    control.words[H.Threads] = threads;
    this.members = Array.from({ length: threads }, (_, self) => {
      const { port1, port2 } = new MessageChannel();
      const workerData: PoolThread = {
        control,
        asyncWaiters: this.asyncWaiters,
        fileTable: this.fileTable,
        self,
        config,
        file,
        manner,
        port: port2,
      };
      const url = entryUrl('./pool-worker', import.meta.url);
      const worker = new Worker(url, {
        workerData,
        transferList: [port2],
        trackUnmanagedFds: false,
      });
      const member: PoolMember = { worker, port: port1, death: null };
      port1.unref();
      worker.on('error', (error) => {
        member.death ??= `${error.name}: ${error.message}`;
      });
      worker.on('exit', (code) => {
        member.death ??= `it exited with code ${code}`;
      });
      return member;
    });
  }

  private get isFree(): boolean {
    return this.manner === 'free';
  }

  /** What is run from now on. */
  take(role: ThreadRole, names: readonly string[]): void {
    this.names = names;
    for (const [at, { port }] of this.members.entries())
      port.postMessage({ kind: 'role', role, thread: names[at]! } satisfies RoleMessage);
  }

  get alive(): boolean {
    return this.members.every(({ death }) => death === null);
  }

  /** One execution on fresh memory. After any outcome but `ended` and `deadlock` the pool is of no more use. */
  async execute(memory: unknown, order: PoolOrder): Promise<PoolExecution> {
    const { control, members } = this;
    const { words } = control;
    this.reset(order);
    this.place(memory);
    add(words, H.Generation, 1);
    notify(words, H.Generation);
    const { pieces, unwound, waiting } = await this.watch(order.watchdogMs);
    const over = unwound || load(words, H.Signal) === SIGNAL.Ended;
    const outcome = over ? OUTCOMES[words[H.Outcome] as 1 | 2] : this.alive ? 'watchdog' : 'died';
    const messages = members.map(
      ({ port }) => receiveMessageOnPort(port)?.message as ThreadMessage | undefined,
    );
    // Numbers have gaps where a thread did not come to tell its events.
    const isWhole = this.isFree && messages.every((message) => message?.numbered);
    const ordered = isWhole ? inOrder(messages.map((message) => message!.numbered!)) : null;
    const deaths = members.flatMap(({ death }, thread) =>
      outcome === 'died' && death !== null ? [`${this.names[thread]}: ${death}`] : [],
    );
    if (!unwound) await this.close();
    return {
      outcome,
      strayed: strayedOf(words),
      thrown: messages.flatMap((message, thread) =>
        message?.thrown ? [{ thread, what: message.thrown }] : [],
      ),
      waiting: waiting ?? (outcome === 'ended' ? [] : waitingOf(words)),
      events: ordered ? [ordered.log] : pieces,
      switches: ordered ? ordered.switches : words[H.Switches]!,
      views: messages.map((message) => message?.views ?? []),
      deaths,
      asynchronous: messages.some((message) => message?.asynchronous),
      callers: new Map(messages.flatMap((message) => [...(message?.callers ?? [])])),
      loops: messages.map((message) => message?.loop ?? null),
      memory: this.memory,
    };
  }

  /** Ends all workers. */
  async close(): Promise<void> {
    store(this.control.words, H.Generation, -1);
    notify(this.control.words, H.Generation);
    await Promise.all(this.members.map(({ worker }) => worker.terminate()));
  }

  private reset(order: PoolOrder): void {
    const { words } = this.control;
    // All but the generation and how many threads there are: a thread on its way to sleep still looks at the former.
    words.fill(0, H.Signal);
    words[H.Recording] = order.record ? 1 : 0;
    words[H.Transactions] = order.transactions ? 1 : 0;
    setOrder(this.control, order);
    const { callsAt: places } = order;
    if (places)
      for (const { port } of this.members) port.postMessage({ kind: 'calls', places } satisfies CallsMessage);
    if (this.manner !== 'loops') return;
    setEpoch(words, Date.now());
    this.asyncWaiters[0] = 0;
    this.fileTable[0] = 0;
    for (const [thread, steps] of order.steps?.entries() ?? [])
      this.members[thread]?.port.postMessage({ kind: 'deliveries', steps } satisfies DeliveriesMessage);
  }

  /** Puts the memory of this execution where the threads find it: into that of the last one, if it is alike. */
  private place(memory: unknown): void {
    if (this.memory !== undefined && sameShape(memory, this.memory)) copyContents(memory, this.buffers);
    else {
      this.memory = memory;
      this.buffers = sharedParts(memory).buffers;
      this.registry.next = FIRST_ADDRESS;
      const addresses = this.buffers.map((buffer) => this.registry.place(roomFor(buffer)));
      this.memoryEnd = this.registry.next;
      for (const { port } of this.members)
        port.postMessage({ kind: 'memory', memory, addresses } satisfies MemoryMessage);
    }
    this.registry.next = this.memoryEnd;
  }

  /**
   * Waits until all threads are through, and takes what is in the log whenever it is full. The threads start, run and end
   * without this thread: it sleeps until the last of them, or until nobody can run. Lets events through now and then.
   */
  private async watch(watchdogMs: number): Promise<Watched> {
    const { words } = this.control;
    const pieces: Int32Array[] = [];
    let waiting: readonly WaitingThread[] | null = null;
    let phase: 'starting' | 'running' | 'unwinding' = 'starting';
    let deadline = performance.now() + START_MS;
    for (;;) {
      const seen = load(words, H.Signal);
      if (seen === SIGNAL.LogFull) {
        this.drain(pieces);
        store(words, H.Signal, SIGNAL.Running);
        notify(words, H.Signal);
        continue;
      }
      if (seen !== SIGNAL.Running && phase !== 'unwinding') {
        phase = 'unwinding';
        this.drain(pieces);
        if (words[H.Outcome] === OUTCOME.Deadlock) {
          waiting = waitingOf(words);
          // They see that it is over.
          unparkAll(words);
        }
        deadline = performance.now() + UNWIND_MS;
      }
      if (seen === SIGNAL.Over) return { pieces, waiting, unwound: true };
      if (wait(words, H.Signal, seen, LOOK_MS) !== 'timed-out') continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (load(words, H.Signal) !== seen) continue;
      // The watchdog is about what the threads do, not about how long a busy machine takes to start them.
      if (phase === 'starting' && load(words, H.Arrived) >= this.members.length) {
        phase = 'running';
        deadline = performance.now() + watchdogMs;
      }
      if (this.alive && performance.now() <= deadline) continue;
      if (phase !== 'unwinding') this.drain(pieces);
      return { pieces, waiting, unwound: false };
    }
  }

  private drain(pieces: Int32Array[]): void {
    const { log, words } = this.control;
    pieces.push(log.slice(0, words[H.Events]!));
    words[H.Taken]! += words[H.Events]!;
    words[H.Events] = 0;
  }
}

/**
 * A warm pool: one worker for each thread of a harness, executed again and again under the token. This is the main
 * thread's side; it takes no steps itself.
 */
import { extname } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ThreadHarness } from '../../harnesses/api.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { copyContents, sameShape, sharedParts } from '../../monitor/threads/memory.ts';
import { FIRST_ADDRESS, Registry } from '../../monitor/threads/registry.ts';
import type { SharedView } from '../../monitor/threads/views.ts';
import { type Control, H, newControl, type Order, OUTCOME, record, SIGNAL, setOrder, T } from './control.ts';
import { inOrder } from './free-holder.ts';
import type { Holder } from './holder.ts';
import { type Strayed, strayedOf, type WaitingThread, waitingOf } from './left.ts';
import type { MemoryMessage, PoolThread, ThreadMessage } from './pool-worker.ts';
import type { Thrown } from './thrown.ts';

/** An {@link Order} of a pool. */
export interface PoolOrder extends Order {
  /** Keep the events and what names them. */
  readonly record: boolean;
  /** Record what the transactions are, too. */
  readonly transactions: boolean;
  readonly watchdogMs: number;
}

export interface Executed {
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

interface Member {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly online: Promise<void>;
  /** How it ended; null while it lives. */
  death: string | null;
}

const OUTCOMES = { [OUTCOME.Ended]: 'ended', [OUTCOME.Deadlock]: 'deadlock' } as const;

const { add, load, notify, store, wait } = Atomics;

export class Pool {
  readonly control: Control;
  readonly names: readonly string[];
  private readonly starter: Holder;
  private readonly free: boolean;
  private readonly members: Member[];
  private readonly registry: Registry;
  private memory: unknown = undefined;
  private buffers: SharedArrayBuffer[] = [];
  private memoryEnd = FIRST_ADDRESS;

  /** `starter`: the main thread's end of the same control; `free`: nobody is controlled, and everything recorded. */
  constructor(
    control: Control,
    starter: Holder,
    file: string,
    harness: ThreadHarness,
    config: LoaderConfig,
    free = false,
  ) {
    this.control = control;
    this.free = free;
    this.starter = starter;
    this.names = Object.keys(harness.threads);
    this.registry = new Registry(control.registry);
    control.words[H.Generation] = 0;
    control.words[H.Threads] = this.names.length;
    this.members = this.names.map((thread, self) => {
      const { port1, port2 } = new MessageChannel();
      const workerData: PoolThread = {
        control,
        self,
        config,
        file,
        harness: harness.name,
        thread,
        free,
        port: port2,
      };
      const url = new URL(`./pool-worker${extname(import.meta.url)}`, import.meta.url);
      const worker = new Worker(url, { workerData, transferList: [port2], name: thread });
      const online = new Promise<void>((resolve) => worker.once('online', resolve));
      const member: Member = { worker, port: port1, online, death: null };
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

  get alive(): boolean {
    return this.members.every(({ death }) => death === null);
  }

  /** One execution on fresh memory. After any outcome but `ended` and `deadlock` the pool is of no more use. */
  async execute(memory: unknown, order: PoolOrder): Promise<Executed> {
    const { control, members } = this;
    const { words } = control;
    const threads = members.length;
    this.reset(order);
    this.place(memory);
    const pieces: Int32Array[] = [];
    add(words, H.Generation, 1);
    notify(words, H.Generation);
    const starting = performance.now() + START_MS;
    const arrived = await this.until(() => load(words, H.Arrived) >= threads, H.Arrived, starting);
    // The watchdog is about what the threads do, not about how long a busy machine takes to start them.
    const deadline = performance.now() + order.watchdogMs;
    if (arrived && this.free) this.goAll();
    else if (arrived) this.starter.start();
    let over = arrived;
    while (over) {
      over = await this.until(() => load(words, H.Signal) !== SIGNAL.Running, H.Signal, deadline);
      if (!over || load(words, H.Signal) === SIGNAL.Ended) break;
      this.drain(pieces);
      store(words, H.Signal, SIGNAL.Running);
      notify(words, H.Signal);
    }
    this.drain(pieces);
    const outcome = over ? OUTCOMES[words[H.Outcome] as 1 | 2] : this.alive ? 'watchdog' : 'died';
    const waiting = outcome === 'ended' ? [] : waitingOf(words);
    // They see that it is over.
    if (outcome === 'deadlock') this.goAll();
    const unwound =
      over &&
      (await this.until(() => load(words, H.Unwound) >= threads, H.Unwound, performance.now() + UNWIND_MS));
    const messages = members.map(
      ({ port }) => receiveMessageOnPort(port)?.message as ThreadMessage | undefined,
    );
    // Numbers have gaps where a thread did not come to tell its events.
    const isWhole = this.free && messages.every((message) => message?.numbered);
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
      waiting,
      events: ordered ? [ordered.log] : pieces,
      switches: ordered ? ordered.switches : words[H.Switches]!,
      views: messages.map((message) => message?.views ?? []),
      deaths,
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
  }

  /** Puts the memory of this execution where the threads find it: into that of the last one, if it is alike. */
  private place(memory: unknown): void {
    if (this.memory !== undefined && sameShape(memory, this.memory)) copyContents(memory, this.buffers);
    else {
      this.memory = memory;
      this.buffers = sharedParts(memory).buffers;
      this.registry.next = FIRST_ADDRESS;
      const addresses = this.buffers.map(({ byteLength }) => this.registry.place(byteLength));
      this.memoryEnd = this.registry.next;
      for (const { port } of this.members) port.postMessage({ memory, addresses } satisfies MemoryMessage);
    }
    this.registry.next = this.memoryEnd;
  }

  /** Waits for a change of the word at `at`; false: too late, or a worker died. Lets events through now and then. */
  private async until(holds: () => boolean, at: number, deadline: number): Promise<boolean> {
    const { words } = this.control;
    for (;;) {
      const seen = load(words, at);
      if (holds()) return true;
      if (wait(words, at, seen, LOOK_MS) !== 'timed-out') continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (holds()) return true;
      if (!this.alive || performance.now() > deadline) return false;
    }
  }

  private drain(pieces: Int32Array[]): void {
    const { log, words } = this.control;
    pieces.push(log.slice(0, words[H.Events]!));
    words[H.Events] = 0;
  }

  /** Wakes all that are parked. */
  private goAll(): void {
    const { words } = this.control;
    for (let thread = 0; thread < this.members.length; thread++) {
      store(words, record(thread) + T.Go, 1);
      notify(words, record(thread) + T.Go);
    }
  }
}

/**
 * Threads that run the worker of a name in one execution after the other: to start one takes longer than most
 * executions. A thread whose worker does not come to its end by itself, or leaves something behind, ends with it.
 */
import { EventEmitter } from 'node:events';
import { extname } from 'node:path';
import workerThreads, { type MessagePort, type Worker, type WorkerOptions } from 'node:worker_threads';
import type { GatedPlace } from './gated-place.ts';
import type { WorkerMail } from './worker-mail.ts';

/** What a thread of the pool is told. */
export interface Task {
  readonly place: GatedPlace;
  /** By which it hears of its parent. */
  readonly port: MessagePort;
  readonly data: unknown;
}

/** What it tells when it is through. */
export interface ThreadEnded {
  readonly code: number;
}

const { MessageChannel, Worker: Native } = workerThreads;
const { close, postMessage } = globalThis.MessagePort.prototype;
const ENTRY = new URL(`./pooled-worker-entry${extname(import.meta.url)}`, import.meta.url);
/** Options that change nothing of the thread itself. */
const HARMLESS: ReadonlySet<string> = new Set(['name', 'transferList', 'type', 'workerData']);

/** Whether a worker with these options can run in a thread that lasts. */
export const isPlain = (options: WorkerOptions): boolean =>
  Object.keys(options).every((key) => HARMLESS.has(key));

type WorkerListener = (event: 'error' | 'exit', args: unknown[]) => void;

class PooledThread {
  readonly thread: Worker;
  readonly name: string;
  readonly number: number;
  private told: WorkerListener | null = null;
  private settled = Promise.withResolvers<void>();
  isAlive = true;

  constructor(thread: Worker, { name, self }: GatedPlace) {
    this.thread = thread;
    this.name = name;
    this.number = self;
    thread.on('message', ({ code }: ThreadEnded) => this.end([code]));
    thread.on('error', (error) => this.told?.('error', [error]));
    thread.on('exit', (code) => {
      this.isAlive = false;
      this.end([code]);
    });
  }

  get isBusy(): boolean {
    return this.told !== null;
  }

  begin(told: WorkerListener): void {
    this.settled = Promise.withResolvers();
    this.told = told;
  }

  /** What still comes is nobody's. */
  silence(): Promise<void> {
    if (this.told) this.told = () => {};
    return this.isBusy ? this.settled.promise : Promise.resolve();
  }

  private end(args: unknown[]): void {
    const { told } = this;
    this.told = null;
    told?.('exit', args);
    this.settled.resolve();
  }
}

export class GatedWorkerPool {
  /** By the name of their worker. */
  private readonly members = new Map<string, PooledThread>();
  private readonly natively: <T>(fn: () => T) => T;
  private readonly stop: (thread: number) => boolean;

  /** `stop`: has a thread give up where it stands, if that can be. */
  constructor(natively: <T>(fn: () => T) => T, stop: (thread: number) => boolean) {
    this.natively = natively;
    this.stop = stop;
  }

  /** Gives a task to a thread: that of the same name, or a new one. */
  send(task: Task, transfer: readonly unknown[], told: WorkerListener): PooledThread {
    return this.natively(() => {
      const { name, self } = task.place;
      let member = this.members.get(name);
      if (!member?.isAlive || member.isBusy || member.number !== self) {
        if (member?.isAlive && !member.isBusy) void member.thread.terminate();
        member = new PooledThread(new Native(ENTRY, { name, trackUnmanagedFds: false }), task.place);
        this.members.set(name, member);
      }
      member.thread.postMessage(task, transfer as never);
      member.begin(told);
      return member;
    });
  }

  /** A member was terminated: its thread lasts, unless its program is in the middle of something. */
  end(member: PooledThread): void {
    if (member.isAlive && member.isBusy && !this.stop(member.number))
      void this.natively(() => member.thread.terminate());
  }

  /** Nobody is at work any more; `isEnded`: who has come to its end will tell it. */
  async dismiss(isEnded: (thread: number) => boolean): Promise<void> {
    await Promise.all(
      [...this.members.values()].map((member) => {
        const silent = member.silence();
        if (!isEnded(member.number)) this.end(member);
        return silent;
      }),
    );
  }
}

/** What a hired worker asks of the thread that has made it. */
interface Maker {
  /** Sends a value: arguments of `Lines.send` behind the line. */
  send(post: readonly [value: unknown, transfer: unknown, post: () => void]): void;
  /** It was terminated. */
  ended(): void;
}

/** A `Worker` as the program sees it, in a thread of the pool. */
export class PooledWorker extends EventEmitter {
  /** The end of the parent. */
  readonly port: MessagePort;
  private readonly pool: GatedWorkerPool;
  private readonly member: PooledThread;
  private readonly maker: Maker;
  private mail: WorkerMail | null = null;
  private isOver = false;

  constructor(pool: GatedWorkerPool, place: GatedPlace, options: WorkerOptions, maker: Maker) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.pool = pool;
    this.port = port1;
    this.maker = maker;
    const transfer = [port2, ...((options.transferList ?? []) as unknown[])];
    this.member = pool.send({ place, port: port2, data: options.workerData }, transfer, (event, args) => {
      this.mail?.hold(event, args);
    });
    port1.on('message', (value) => this.emit('message', value));
    port1.on('messageerror', (error) => this.emit('messageerror', error));
  }

  /** Who holds what comes from it. */
  hold(mail: WorkerMail): void {
    this.mail = mail;
    mail.hold('online', []);
  }

  /** Node's own object for its thread. */
  get thread(): Worker {
    return this.member.thread;
  }

  get threadId(): number {
    return this.isOver ? -1 : this.member.number;
  }

  override emit(event: string, ...args: unknown[]): boolean {
    if (event === 'exit') {
      this.isOver = true;
      close.call(this.port);
    }
    return super.emit(event, ...args);
  }

  postMessage(value: unknown, transfer?: readonly unknown[]): void {
    if (this.isOver) return;
    this.maker.send([value, transfer, () => Reflect.apply(postMessage, this.port, [value, transfer])]);
  }

  ref(): void {
    if (this.mail) this.mail.isRef = true;
    this.port.ref();
  }

  unref(): void {
    if (this.mail) this.mail.isRef = false;
    this.port.unref();
  }

  terminate(): Promise<number | undefined> {
    this.ref();
    if (this.isOver) return Promise.resolve(undefined);
    this.maker.ended();
    this.pool.end(this.member);
    return new Promise((resolve) => this.once('exit', resolve));
  }
}

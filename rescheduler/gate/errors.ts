/**
 * Exceptions and rejections that nobody handles, while a run is on. The listeners of the test runner step
 * aside, so that a failure of a forced run is not taken for one of the runner's own; listeners that the
 * program itself adds during the run are obeyed, as natively.
 */
import { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;
type ProcessEvent = (typeof EVENTS)[number];
type ProcessListener = (...args: any[]) => void;

/** As they are: the program finds others on `process` while a run is on. */
const { listenerCount, listeners, rawListeners, removeAllListeners } = EventEmitter.prototype;
const heardBy = (event: string): ProcessListener[] => rawListeners.call(process, event) as ProcessListener[];

/** What this process was told to do with rejections that nobody handles. */
const MODE =
  [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)]
    .map((option) => /^--unhandled-rejections=(.*)$/.exec(option)?.[1])
    .findLast((mode) => mode !== undefined) ?? 'throw';
const IGNORED = /^(?:none|warn)$/;

/** What Node makes of a reason that is no error. */
function asError(reason: unknown): unknown {
  if (reason instanceof Error || isNativeError(reason)) return reason;
  const message =
    'This error originated either by throwing inside of an async function without a catch block, or by rejecting a ' +
    `promise which was not handled with .catch(). The promise rejected with the reason "${inspect(reason)}".`;
  return Object.assign(new Error(message), {
    name: 'UnhandledPromiseRejection',
    code: 'ERR_UNHANDLED_REJECTION',
  });
}

/** Listeners of a runner which, where the program has none, leave it at a rejection that nobody handles. */
const lenient = new WeakSet<ProcessListener>();

/** Rejections that `listener` of a runner hears are passed on to the other listeners, and are no failure by themselves. */
export function passesRejectionsOn(listener: ProcessListener): void {
  lenient.add(listener);
}

/** Listeners of a runner which fail a test for what is still unhandled when it is over. */
const forgiving = new WeakSet<ProcessListener>();

/** Rejections that `listener` of a runner hears are failures where nobody has handled them by the end of the test. */
export function forgivesRejections(listener: ProcessListener): void {
  forgiving.add(listener);
}

let isLeftToProgram = false;

/** The runner does not listen to rejections that nobody handles: whoever does is of the program. */
export function leavesRejectionsToProgram(): void {
  isLeftToProgram = true;
}

export interface ErrorSink {
  /** True when the running code belongs to the run. */
  owns(): boolean;
  /** The test is over; what fails now comes behind it. */
  isOver(): boolean;
  failed(error: unknown, origin: 'exception' | 'rejection', promise?: unknown): void;
}

export class ErrorTrap {
  private readonly sink: ErrorSink;
  private readonly saved = new Map<ProcessEvent, ProcessListener[]>();
  private readonly ours: Readonly<Record<ProcessEvent, ProcessListener>> = {
    uncaughtException: (error, origin) => this.heard('uncaughtException', 'exception', [error, origin]),
    unhandledRejection: (reason, promise) => this.heard('unhandledRejection', 'rejection', [reason, promise]),
  };

  /** The program does not find them, and does not take them away. */
  private readonly hiding = {
    listeners: (event: string) => this.theirs(listeners.call(process, event) as ProcessListener[]),
    rawListeners: (event: string) => this.theirs(heardBy(event)),
    listenerCount: (event: string, listener?: ProcessListener) =>
      listenerCount.call(process, event, listener) - (listener ? 0 : this.oursOf(event)),
    removeAllListeners: (...events: string[]): NodeJS.Process => {
      removeAllListeners.apply(process, events as []);
      for (const event of EVENTS) if (this.oursOf(event) === 0) process.on(event, this.ours[event]);
      return process;
    },
  };

  /** What may still be handled before the test is over. */
  private readonly pending = new Map<unknown, unknown>();
  private readonly handled = (promise: unknown): void => void this.pending.delete(promise);

  constructor(sink: ErrorSink) {
    this.sink = sink;
  }

  /** What was forgiven for the time being, and nobody has handled. */
  get left(): { readonly error: unknown; readonly promise: unknown } | null {
    for (const [promise, error] of this.pending) return { error, promise };
    return null;
  }

  /** Puts the listeners of others aside. */
  set(): void {
    this.pending.clear();
    process.on('rejectionHandled', this.handled);
    for (const event of EVENTS) {
      this.saved.set(event, heardBy(event));
      removeAllListeners.call(process, event);
      process.on(event, this.ours[event]);
    }
    for (const [name, value] of Object.entries(this.hiding))
      Object.defineProperty(process, name, { value, configurable: true, writable: true });
  }

  /** Puts them back, in front of what the program added and left. */
  unset(): void {
    for (const [name, method] of Object.entries(this.hiding))
      if (Reflect.get(process, name) === method) Reflect.deleteProperty(process, name);
    process.off('rejectionHandled', this.handled);
    for (const event of EVENTS) {
      process.off(event, this.ours[event]);
      const left = heardBy(event);
      removeAllListeners.call(process, event);
      for (const listener of [...(this.saved.get(event) ?? []), ...left]) process.on(event, listener);
    }
    this.saved.clear();
  }

  private theirs(listeners: readonly ProcessListener[]): ProcessListener[] {
    return listeners.filter((each) => !Object.values(this.ours).includes(each));
  }

  private oursOf(event: string): number {
    return heardBy(event).filter((each) => each === this.ours[event as ProcessEvent]).length;
  }

  /** A callback of the program threw in a turn of ours: what Node does then. */
  threw(error: unknown): void {
    if (!this.caught(error, 'uncaughtException')) this.sink.failed(error, 'exception');
  }

  /** Somebody of the program takes what nobody handled. */
  private caught(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): boolean {
    // Who captures everything (a domain) can only be reached through Node's own handler.
    if (process.hasUncaughtExceptionCaptureCallback()) {
      const { _fatalException } = process as unknown as { _fatalException(...args: unknown[]): boolean };
      _fatalException.call(process, error, origin === 'unhandledRejection');
      return true;
    }
    const emit = process.emit as (event: string, ...args: unknown[]) => boolean;
    emit.call(process, 'uncaughtExceptionMonitor', error, origin);
    if (!this.isListening('uncaughtException')) return false;
    emit.call(process, 'uncaughtException', error, origin);
    return true;
  }

  /** As Node does where nobody listens for rejections: what was not handled is an exception, unless it was told otherwise. */
  private rejected(reason: unknown, promise: unknown): void {
    if (IGNORED.test(MODE)) return;
    const others = this.saved.get('unhandledRejection') ?? [];
    try {
      if (others.some((each) => forgiving.has(each)) && !this.sink.isOver()) {
        // It decides by itself, too, and is to come to the same.
        for (const listener of others) listener(reason, promise);
        this.pending.set(promise, reason);
        return;
      }
      if (others.some((each) => lenient.has(each)) || (isLeftToProgram && others.length > 0)) {
        for (const listener of others) if (!lenient.has(listener)) listener(reason, promise);
        return;
      }
      if (this.caught(asError(reason), 'unhandledRejection')) return;
    } catch (again) {
      this.sink.failed(again, 'exception');
      return;
    }
    this.sink.failed(reason, 'rejection', promise);
  }

  /** The program listens itself; the module of domains always does, and leaves it at that. */
  private isListening(event: ProcessEvent): boolean {
    return heardBy(event).some(
      (each) => each !== this.ours[event] && each.name !== 'domainUncaughtExceptionClear',
    );
  }

  private heard(event: ProcessEvent, origin: 'exception' | 'rejection', args: unknown[]): void {
    if (this.isListening(event)) return;
    const others = this.saved.get(event) ?? [];
    if (!this.sink.owns() && others.length > 0) for (const listener of others) listener(...args);
    else if (origin === 'rejection') this.rejected(args[0], args[1]);
    else this.sink.failed(args[0], origin);
  }
}

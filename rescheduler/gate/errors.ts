/**
 * Exceptions and rejections that nobody handles, while a run is on. The listeners of the test runner step
 * aside, so that a failure of a forced run is not taken for one of the runner's own; listeners that the
 * program itself adds during the run are obeyed, as natively.
 */
const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;
type Event = (typeof EVENTS)[number];
type Listener = (...args: any[]) => void;

export interface ErrorSink {
  /** True when the running code belongs to the run. */
  owns(): boolean;
  failed(error: unknown, origin: 'exception' | 'rejection'): void;
}

export class ErrorTrap {
  private readonly sink: ErrorSink;
  private readonly saved = new Map<Event, Listener[]>();
  private readonly ours: Readonly<Record<Event, Listener>> = {
    uncaughtException: (error, origin) => this.heard('uncaughtException', 'exception', [error, origin]),
    unhandledRejection: (reason, promise) => this.heard('unhandledRejection', 'rejection', [reason, promise]),
  };

  constructor(sink: ErrorSink) {
    this.sink = sink;
  }

  /** Puts the listeners of others aside. */
  set(): void {
    for (const event of EVENTS) {
      this.saved.set(event, process.rawListeners(event) as Listener[]);
      process.removeAllListeners(event);
      process.on(event, this.ours[event]);
    }
  }

  /** Puts them back, in front of what the program added and left. */
  unset(): void {
    for (const event of EVENTS) {
      process.off(event, this.ours[event]);
      const left = process.rawListeners(event) as Listener[];
      process.removeAllListeners(event);
      for (const listener of [...(this.saved.get(event) ?? []), ...left]) process.on(event, listener);
    }
    this.saved.clear();
  }

  /** A callback of the program threw in a turn of ours: what Node does then. */
  threw(error: unknown): void {
    // Who captures everything (a domain) can only be reached through Node's own handler.
    if (process.hasUncaughtExceptionCaptureCallback()) {
      (process as unknown as { _fatalException(error: unknown): boolean })._fatalException(error);
      return;
    }
    const emit = process.emit as (event: string, ...args: unknown[]) => boolean;
    emit.call(process, 'uncaughtExceptionMonitor', error, 'uncaughtException');
    if (!this.isListening('uncaughtException')) this.sink.failed(error, 'exception');
    else emit.call(process, 'uncaughtException', error, 'uncaughtException');
  }

  /** The program listens itself; the module of domains always does, and leaves it at that. */
  private isListening(event: Event): boolean {
    const listeners = process.rawListeners(event) as Listener[];
    return listeners.some(
      (each) => each !== this.ours[event] && each.name !== 'domainUncaughtExceptionClear',
    );
  }

  private heard(event: Event, origin: 'exception' | 'rejection', args: unknown[]): void {
    if (this.isListening(event)) return;
    const others = this.saved.get(event) ?? [];
    if (!this.sink.owns() && others.length > 0) for (const listener of others) listener(...args);
    else this.sink.failed(args[0], origin);
  }
}

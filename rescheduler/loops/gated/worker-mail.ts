/** What comes from a worker beside its messages, as its parent's event loop brings it. */
import type { Context } from '../../../monitor/host/context.ts';
import { native } from '../../gate/native.ts';
import type { ArrivalSource } from './arrivals.ts';

/** What a worker asks of its thread. */
export interface Owner {
  emit(event: string, args: unknown[]): boolean;
  forget(): void;
  /** It has ended, and all that it sent has been received. */
  isEnded(): boolean;
  isAwaited(event: string): boolean;
  /** The step by which its end is known. */
  join(): void;
}

/** The end of a worker, with the error that led to it; and that it has started. */
export class WorkerMail implements ArrivalSource {
  readonly kind = 'external';
  readonly api = 'exit';
  readonly what: string;
  readonly name: string;
  readonly context: Context;
  readonly child: number;
  /** That it has started; nobody hears it later. */
  readonly online: ArrivalSource;
  isRef = true;
  private readonly owner: Owner;
  private readonly held = new Map<string, unknown[]>();
  private isOver = false;
  private wasOnline = false;

  constructor(child: number, what: string, name: string, context: Context, owner: Owner) {
    this.child = child;
    this.what = `of ${what}`;
    this.name = `${name}+exit`;
    this.context = context;
    this.owner = owner;
    this.online = {
      ...{ kind: 'external', api: 'online', what: this.what, name: `${name}+online`, context },
      isReady: () => !this.wasOnline && owner.isAwaited('online'),
      isHere: () => this.held.has('online') || this.held.has('exit'),
      lingers: () => false,
      tell: () => {
        this.wasOnline = true;
        this.tellOf('online');
      },
    };
  }

  /** False: it is to be handed out now. */
  hold(event: string, args: unknown[]): boolean {
    if (!HELD.has(event) || this.isOver) return false;
    this.held.set(event, args);
    return true;
  }

  isReady(): boolean {
    return !this.isOver && this.owner.isEnded() && !this.online.isReady();
  }

  isHere(): boolean {
    return this.held.has('exit');
  }

  lingers(): boolean {
    return this.isRef && !this.isOver;
  }

  tell(): void {
    this.isOver = true;
    this.owner.join();
    if (this.tellOf('error')) native.drain();
    this.tellOf('exit');
    this.owner.forget();
  }

  private tellOf(event: string): boolean {
    const args = this.held.get(event);
    if (args) this.owner.emit(event, args);
    return args !== undefined;
  }
}

const HELD: ReadonlySet<string> = new Set(['online', 'error', 'exit']);

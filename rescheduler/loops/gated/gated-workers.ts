/**
 * `Worker` as a program under the gate sees it. A worker runs from an entry of ours, which loads the program's file and
 * puts its event loop under the gate; its messages and its end come to its parent when their turn has come.
 */
import { syncBuiltinESMExports } from 'node:module';
import { extname, isAbsolute } from 'node:path';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { Op } from '../../../data/threads/trace.ts';
import type { Context } from '../../../monitor/host/context.ts';
import { valueUnder } from '../../../monitor/symbols.ts';
import { native } from '../../gate/native.ts';
import { isRunning, nameNow, natively } from '../../gate/session.ts';
import { record, STATE, T } from '../../tokens/control.ts';
import { Forks, type WorkerPlace } from '../forks.ts';
import { toParent, toWorker } from '../lines.ts';
import { PLACE } from '../place.ts';
import type { Source } from './arrivals.ts';
import type { GatedPart } from './gated-part.ts';
import type { Port } from './port-box.ts';

/** What the entry of a worker is told. */
export interface GatedPlace extends WorkerPlace {
  /** A URL or path as the program gave it, or the text. */
  readonly file: string;
  readonly isText: boolean;
}

/** Descriptors that one thread has closed under the gate may be those of another one by now. */
const OURS = { eval: false, trackUnmanagedFds: false } as const;
const ENTRY = new URL(`./worker-entry${extname(import.meta.url)}`, import.meta.url);
const { Worker: Native, getEnvironmentData, setEnvironmentData } = workerThreads;

export function wrapGatedWorkers(part: GatedPart): void {
  const { arrivals, execution, holder, lines, loader, notes } = part;
  const { words } = execution.control;
  const forks = new Forks(part);

  /** The step by which a worker comes to be. */
  function fork(file: string, options: WorkerOptions): GatedPlace {
    const text = options.eval ? loader.text(file) : null;
    const place = forks.fork(options, text, (child) => holder.born(child));
    return { ...place, isText: options.eval === true, file: text?.code ?? file };
  }

  // What it needs itself is none of the program's requests.
  const Quiet = new Proxy(Native, {
    construct: (target, args, called) => natively(() => Reflect.construct(target, args, called)),
  });

  class Worker extends Quiet {
    readonly #mail: WorkerMail | null;

    constructor(file: string | URL, options: WorkerOptions = {}) {
      if (part.phase() === 'before') notes.tell({ unfit: 'a worker that was started outside of the test' });
      const isOurs = part.phase() === 'on' && (options.eval === true || isFile(file));
      const place = isOurs ? fork(String(file), options) : null;
      const name = place ? nameNow('Worker') : '';
      const before = getEnvironmentData(PLACE);
      setEnvironmentData(PLACE, (place ?? undefined) as never);
      try {
        super(place ? ENTRY : file, place ? { ...options, ...OURS } : options);
      } catch (error) {
        if (place) holder.bury(place.self);
        throw error;
      } finally {
        setEnvironmentData(PLACE, before);
      }
      this.#mail = place && this.#held(place, name);
    }

    override emit(event: string, ...args: unknown[]): boolean {
      const mail = #mail in this && part.phase() === 'on' ? this.#mail : null;
      return mail?.hold(event, args) || super.emit(event, ...args);
    }

    /** Node forgets the listeners of a worker that has ended: they are forgotten when its end is handed out. */
    override removeAllListeners(event?: string | symbol): this {
      const isNode = #mail in this && this.#mail !== null && part.phase() === 'on' && !isRunning();
      return isNode ? this : super.removeAllListeners(event as string);
    }

    override ref(): void {
      if (this.#mail) this.#mail.isRef = true;
      super.ref();
    }

    override unref(): void {
      if (this.#mail) this.#mail.isRef = false;
      super.unref();
    }

    override postMessage(value: unknown, transfer?: never): void {
      const post = (): void => super.postMessage(value, transfer);
      if (this.#mail && part.phase() === 'on') lines.send(toWorker(this.#mail.child), value, transfer, post);
      else post();
    }

    override terminate(): Promise<number> {
      if (this.#mail && part.phase() === 'on') {
        const { child } = this.#mail;
        // All that it has done comes before.
        holder.step();
        holder.bury(child);
        holder.log(Op.Join, child, 0);
        lines.closeAll(child);
      }
      return natively(() => super.terminate());
    }

    #held(place: GatedPlace, name: string): WorkerMail {
      const line = toParent(place.self);
      const port = publicPortOf(this);
      if (port) part.adopt(port, line, `${name}+message`, `from ${place.name}`);
      const mail = new WorkerMail(place.self, place.name, name, arrivals.capture(true), {
        emit: (event, args) => super.emit(event, ...args),
        forget: () => super.removeAllListeners(),
        isEnded: () => words[record(place.self) + T.State] === STATE.Ended && lines.waiting(line) === 0,
        isAwaited: (event) => this.listenerCount(event) > 0,
        join: () => {
          holder.step();
          holder.log(Op.Join, place.self, 0);
        },
      });
      for (const source of [mail, mail.online]) {
        arrivals.add(source);
        arrivals.listen(source);
      }
      return mail;
    }
  }
  // Nobody holds what goes through these.
  for (const name of ['stdin', 'stdout', 'stderr'] as const) {
    const get = Object.getOwnPropertyDescriptor(Native.prototype, name)?.get;
    Object.defineProperty(Worker.prototype, name, {
      get(this: Worker) {
        if (part.phase() === 'on' && isRunning()) part.doubt(`${name} of a worker`);
        return get?.call(this);
      },
      configurable: true,
    });
  }
  workerThreads.Worker = Worker;
  syncBuiltinESMExports();
}

/** What a worker asks of its thread. */
interface Owner {
  emit(event: string, args: unknown[]): boolean;
  forget(): void;
  /** It has ended, and all that it sent has been received. */
  isEnded(): boolean;
  isAwaited(event: string): boolean;
  /** The step by which its end is known. */
  join(): void;
}

/** The end of a worker, with the error that led to it; and that it has started. */
class WorkerMail implements Source {
  readonly api = 'exit';
  readonly what: string;
  readonly name: string;
  readonly context: Context;
  readonly child: number;
  /** That it has started; nobody hears it later. */
  readonly online: Source;
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
      ...{ api: 'online', what: this.what, name: `${name}+online`, context },
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
    return !this.isOver && this.owner.isEnded();
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

/** Anything else is an error, which is Node's to tell. */
const isFile = (file: string | URL): boolean =>
  file instanceof URL || (typeof file === 'string' && (isAbsolute(file) || /^\.\.?[\\/]/.test(file)));

/** The port by which a worker and its parent send to each other. */
const publicPortOf = (worker: object): Port | undefined =>
  valueUnder(worker, 'kPublicPort') as Port | undefined;

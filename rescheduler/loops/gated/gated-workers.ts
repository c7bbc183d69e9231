/**
 * `Worker` as a program under the gate sees it. A worker runs from an entry of ours, which loads the program's file and
 * puts its event loop under the gate; its messages and its end come to its parent when their turn has come.
 */
import { syncBuiltinESMExports } from 'node:module';
import { extname, isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { Op } from '../../../data/threads/trace.ts';
import { valueUnder } from '../../../monitor/symbols.ts';
import { isRunning, nameNow, natively } from '../../gate/session.ts';
import { isInForce, RULE, record, STATE, T } from '../../tokens/control.ts';
import { Forks } from '../forks.ts';
import { toParent, toWorker } from '../lines.ts';
import { PLACE } from '../place.ts';
import type { GatedPart } from './gated-part.ts';
import type { GatedPlace } from './gated-place.ts';
import type { Port } from './port-box.ts';
import { type Owner, WorkerMail } from './worker-mail.ts';
import { GatedWorkerPool, isPlain, PooledWorker } from './worker-pool.ts';
import { urlOf } from './worker-program.ts';

/** Descriptors that one thread has closed under the gate may be those of another one by now. */
const OURS = { eval: false, trackUnmanagedFds: false } as const;
const ENTRY = new URL(`./worker-entry${extname(import.meta.url)}`, import.meta.url);
const { Worker: Native, getEnvironmentData, setEnvironmentData } = workerThreads;

/** Workers of a thread beyond an execution. */
export interface OwnWorkers {
  /** Those that are left are ended: none of them makes a step or brings anything any more. */
  dismiss(): Promise<void>;
}

export function wrapGatedWorkers(part: GatedPart): OwnWorkers {
  const { arrivals, execution, holder, lines, loader, notes } = part;
  const { words } = execution.control;
  const forks = new Forks(part);
  const isEnded = (thread: number): boolean => words[record(thread) + T.State] === STATE.Ended;
  /** In an execution of several: those with threads of their own, by what is called when such a thread has ended. */
  const own = new Map<InstanceType<typeof Native>, () => void>();
  /** The step by which a worker comes to be. */
  function fork(file: string, options: WorkerOptions): GatedPlace {
    const text = options.eval ? loader.text(file) : null;
    const place = forks.fork(options, text, (child) => holder.born(child));
    return { ...place, isText: options.eval === true, file: text?.code ?? file };
  }

  /** A worker is terminated. */
  function bury(child: number): void {
    // All that it has done comes before.
    holder.step();
    holder.bury(child);
    holder.log(Op.Join, child, 0);
    lines.closeAll(child);
  }

  // What it needs itself is none of the program's requests.
  const Quiet = new Proxy(Native, {
    construct: (target, args, called) => natively(() => Reflect.construct(target, args, called)),
  });

  class OwnWorker extends Quiet {
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
      if (place) lines.transferred(options.transferList);
      this.#mail = place && this.#held(place, name);
      if (execution.isWarm) own.set(this, () => {});
    }

    override emit(event: string, ...args: unknown[]): boolean {
      if (#mail in this && event === 'exit') own.get(this)?.();
      // Its execution is over.
      if (#mail in this && execution.isWarm && part.phase() !== 'on') return false;
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
      if (this.#mail && part.phase() === 'on') bury(this.#mail.child);
      return natively(() => super.terminate());
    }

    #held(place: GatedPlace, name: string): WorkerMail {
      const port = publicPortOf(this);
      return mailOf(place, name, port ?? null, {
        emit: (event, args) => super.emit(event, ...args),
        forget: () => super.removeAllListeners(),
        isAwaited: (event) => this.listenerCount(event) > 0,
      });
    }
  }

  /** What a worker brings to this thread from now on. */
  function mailOf(
    place: GatedPlace,
    name: string,
    port: Port | null,
    events: Pick<Owner, 'emit' | 'forget' | 'isAwaited'>,
  ): WorkerMail {
    const line = toParent(place.self);
    const inOrder = isInForce(words, RULE.news);
    const mail = new WorkerMail(place.self, place.name, name, arrivals.capture(true), {
      ...events,
      isEnded: () => isEnded(place.self) && (!inOrder || lines.waiting(line) === 0),
      join: () => {
        holder.step();
        holder.log(Op.Join, place.self, 0);
      },
    });
    for (const source of [mail, mail.online]) {
      arrivals.add(source);
      arrivals.listen(source);
    }
    // A worker tells that it has started before its program does anything.
    const box = port && part.adopt(port, line, `${name}+message`, `from ${place.name}`);
    if (box && inOrder) box.behind = mail.online;
    return mail;
  }

  const pool = new GatedWorkerPool(
    (start) => natively(start),
    (thread) => holder.stop(thread),
  );
  const Worker: typeof OwnWorker = new Proxy(OwnWorker, {
    construct(target, args, called) {
      const [file, options = {}] = args as ConstructorParameters<typeof OwnWorker>;
      const isHired = execution.isWarm && called === Worker && part.phase() === 'on';
      if (isHired && isFile(file) && loader.selects(pathOf(file)) && isPlain(options))
        return hire(String(file), options);
      return Reflect.construct(target, args, called === Worker ? OwnWorker : called) as OwnWorker;
    },
  });
  OwnWorker.prototype.constructor = Worker;

  /** A worker that runs in a thread of the pool. */
  function hire(file: string, options: WorkerOptions): PooledWorker {
    const place = fork(file, options);
    const name = nameNow('Worker');
    try {
      const hired = new PooledWorker(pool, place, options, {
        send: (post) => {
          if (part.phase() === 'on') lines.send(toWorker(place.self), ...post);
        },
        ended: () => bury(place.self),
      });
      lines.transferred(options.transferList);
      hired.hold(
        mailOf(place, name, hired.port as never, {
          emit: (event, args) => hired.emit(event, ...args),
          forget: () => void hired.removeAllListeners(),
          isAwaited: (event) => hired.listenerCount(event) > 0,
        }),
      );
      return hired;
    } catch (error) {
      holder.bury(place.self);
      throw error;
    }
  }

  // Nobody holds what goes through these.
  for (const name of ['stdin', 'stdout', 'stderr'] as const) {
    const get = Object.getOwnPropertyDescriptor(Native.prototype, name)?.get;
    Object.defineProperty(OwnWorker.prototype, name, {
      get(this: OwnWorker | PooledWorker) {
        if (part.phase() === 'on' && isRunning()) part.doubt(`${name} of a worker`);
        return get?.call(this instanceof PooledWorker ? this.thread : this);
      },
      configurable: true,
    });
  }
  // Nor what these answer, which takes no step of any loop.
  for (const name of [
    'getHeapSnapshot',
    'getHeapStatistics',
    'cpuUsage',
    'startCpuProfile',
    'startHeapProfile',
  ]) {
    const ask: unknown = Reflect.get(Native.prototype, name);
    if (typeof ask !== 'function') continue;
    Object.defineProperty(OwnWorker.prototype, name, {
      value(this: OwnWorker | PooledWorker, ...args: unknown[]) {
        if (part.phase() === 'on' && isRunning()) part.doubt(`${name} of a worker`);
        return ask.apply(this instanceof PooledWorker ? this.thread : this, args);
      },
      configurable: true,
      writable: true,
    });
  }
  workerThreads.Worker = Worker;
  Object.setPrototypeOf(PooledWorker.prototype, Worker.prototype);
  syncBuiltinESMExports();
  return {
    async dismiss() {
      forks.forget();
      const ends = [...own.keys()].map(
        (worker) =>
          new Promise<void>((resolve) => {
            if (worker.threadId < 0) return resolve();
            own.set(worker, resolve);
            void Native.prototype.terminate.call(worker);
          }),
      );
      await Promise.all([...ends, pool.dismiss(isEnded)]);
      own.clear();
    },
  };
}

/** Anything else is an error, which is Node's to tell. */
const isFile = (file: string | URL): boolean =>
  file instanceof URL || (typeof file === 'string' && (isAbsolute(file) || /^\.\.?[\\/]/.test(file)));

function pathOf(file: string | URL): string {
  const url = urlOf(String(file));
  return url.protocol === 'file:' ? fileURLToPath(url) : url.href;
}

/** The port by which a worker and its parent send to each other. */
const publicPortOf = (worker: object): Port | undefined =>
  valueUnder(worker, 'kPublicPort') as Port | undefined;

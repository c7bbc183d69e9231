/**
 * `Worker` as the program sees it: the worker takes part, too. Its construction, its end and the messages between it
 * and the thread that started it are steps, and order the steps of the two.
 */
import { syncBuiltinESMExports } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { Op } from '../../data/threads/trace.ts';
import { sharedParts } from '../../monitor/threads/memory.ts';
import { H, record, STATE, T } from '../tokens/control.ts';
import { Mail } from './mail.ts';
import type { Part, Place } from './part.ts';
import { PLACE } from './place.ts';

export interface WorkerPlace extends Place {
  readonly parent: number;
  /** Of the shared buffers in its `workerData`. */
  readonly addresses: readonly number[];
}

const START = fileURLToPath(new URL(`./start${extname(import.meta.url)}`, import.meta.url));
const { add, store } = Atomics;
const { Worker: Native, SHARE_ENV, getEnvironmentData, setEnvironmentData } = workerThreads;

export function wrapWorkers(part: Part): void {
  const { execution, holder, notes, self, views } = part;
  const { words } = execution.control;
  let children = 0;

  /** The step by which a worker comes to be. */
  function fork(options: WorkerOptions | undefined): WorkerPlace {
    holder.step();
    const ordinal = ++children;
    const name = self === 0 ? `worker ${ordinal}` : `${part.name}.${ordinal}`;
    const settled = execution.names.indexOf(name);
    const child = settled < 0 ? add(words, H.Threads, 1) : settled;
    if (child >= execution.most) throw new Error(`unweave: more than ${execution.most} threads`);
    notes.tell({ thread: child, name });
    if (options?.eval) notes.tell({ unseen: 'elements in workers made of text' });
    store(words, record(child) + T.State, STATE.Active);
    holder.log(Op.Fork, child, 0);
    const { buffers } = sharedParts(options?.workerData);
    const addresses = buffers.map((buffer) => views.addressOf(buffer));
    return { execution, self: child, name, parent: self, addresses };
  }

  class Worker extends Native {
    readonly #place: WorkerPlace;
    readonly #mail: Mail;

    constructor(file: string | URL, options?: WorkerOptions) {
      const place = fork(options);
      const before = getEnvironmentData(PLACE);
      setEnvironmentData(PLACE, place as never);
      try {
        super(file, withStart(options));
      } catch (error) {
        holder.bury(place.self);
        throw error;
      } finally {
        setEnvironmentData(PLACE, before);
      }
      this.#place = place;
      this.#mail = new Mail(part, place.self, place.self);
    }

    override emit(event: string | symbol, ...args: unknown[]): boolean {
      if (event === 'exit') {
        const { self: child } = this.#place;
        holder.bury(child);
        holder.step();
        holder.log(Op.Join, child, 0);
      } else if (event === 'message') this.#mail.receive('up', args[0]);
      return super.emit(event, ...args);
    }

    override postMessage(value: unknown, transfer?: never): void {
      this.#mail.send('down', value);
      super.postMessage(value, transfer);
    }

    override terminate(): Promise<number> {
      holder.step();
      holder.bury(this.#place.self);
      return super.terminate();
    }
  }
  workerThreads.Worker = Worker;
  syncBuiltinESMExports();
}

/** Options under which the worker loads what makes it take part: by default it has it from `NODE_OPTIONS`. */
function withStart(options: WorkerOptions = {}): WorkerOptions {
  let { env, execArgv } = options;
  if (env && env !== SHARE_ENV)
    env = { ...(env as NodeJS.ProcessEnv), NODE_OPTIONS: process.env['NODE_OPTIONS'] };
  // Workers made of text obey no `--import`.
  if (options.eval) execArgv = [...(execArgv ?? []), '--require', START];
  return { ...options, ...(env && { env }), ...(execArgv && { execArgv }) };
}

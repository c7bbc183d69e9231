/**
 * `Worker` as the program sees it: the worker takes part, too. Its construction, its end and the messages between it
 * and the thread that started it are steps, and order the steps of the two.
 */
import { syncBuiltinESMExports } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { Op } from '../../data/threads/trace.ts';
import type { Numbered } from '../../monitor/threads/load.ts';
import { H, record, STATE, T } from '../tokens/control.ts';
import { type Enclosed, toParent, toWorker } from './lines.ts';
import type { Part, Place } from './part.ts';
import { PLACE } from './place.ts';

export interface WorkerPlace extends Place {
  /** The points of its text, if it is made of text. */
  readonly text: Pick<Numbered, 'first' | 'sites'> | null;
  /** What comes with its `workerData`. */
  readonly enclosed: Enclosed;
}

const START = fileURLToPath(new URL(`./start${extname(import.meta.url)}`, import.meta.url));
const { add, store } = Atomics;
const { Worker: Native, SHARE_ENV, getEnvironmentData, setEnvironmentData } = workerThreads;

export function wrapWorkers(part: Part): void {
  const { execution, holder, lines, loader, notes, self } = part;
  const { words } = execution.control;
  let children = 0;

  /** The step by which a worker comes to be. */
  function fork(options: WorkerOptions | undefined, text: Numbered | null): WorkerPlace {
    holder.step();
    const ordinal = ++children;
    const name = self === 0 ? `worker ${ordinal}` : `${part.name}.${ordinal}`;
    const settled = execution.names.indexOf(name);
    const child = settled < 0 ? add(words, H.Threads, 1) : settled;
    if (child >= execution.most) throw new Error(`unweave: more than ${execution.most} threads`);
    notes.tell({ thread: child, name });
    if (options?.eval && !text) notes.tell({ unseen: 'elements in workers made of text' });
    store(words, record(child) + T.State, STATE.Active);
    holder.log(Op.Fork, child, 0);
    lines.read(toWorker(child), child);
    lines.read(toParent(child), self);
    const enclosed = lines.enclosed(options?.workerData);
    const sites = text && { first: text.first, sites: text.sites };
    return { execution, self: child, parent: self, name, enclosed, text: sites };
  }

  class Worker extends Native {
    readonly #place: WorkerPlace;

    constructor(file: string | URL, options?: WorkerOptions) {
      const text = options?.eval ? loader.text(String(file)) : null;
      const place = fork(options, text);
      const before = getEnvironmentData(PLACE);
      setEnvironmentData(PLACE, place as never);
      try {
        super(text ? text.code : file, withStart(options));
      } catch (error) {
        holder.bury(place.self);
        throw error;
      } finally {
        setEnvironmentData(PLACE, before);
      }
      this.#place = place;
    }

    override emit(event: string | symbol, ...args: unknown[]): boolean {
      if (event === 'exit') {
        const { self: child } = this.#place;
        holder.bury(child);
        holder.step();
        holder.log(Op.Join, child, 0);
      } else if (event === 'message') lines.receive(toParent(this.#place.self), args[0]);
      return super.emit(event, ...args);
    }

    override postMessage(value: unknown, transfer?: never): void {
      lines.send(toWorker(this.#place.self), value, () => super.postMessage(value, transfer));
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

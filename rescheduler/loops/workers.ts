/**
 * `Worker` as the program sees it: the worker takes part, too. Its construction, its end and the messages between it
 * and the thread that started it are steps, and order the steps of the two.
 */
import { syncBuiltinESMExports } from 'node:module';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { Op } from '../../data/threads/trace.ts';
import { record, STATE, T } from '../tokens/control.ts';
import { Forks, type WorkerPlace } from './forks.ts';
import { toParent, toWorker } from './lines.ts';
import type { ThreadContext } from './part.ts';
import { PLACE, START_OPTIONS } from './place.ts';

/** What has workers of this thread take part. */
const { NODE_OPTIONS } = process.env;
const { store } = Atomics;
const { Worker: Native, getEnvironmentData, setEnvironmentData } = workerThreads;

export function wrapWorkers(part: ThreadContext): void {
  const { execution, holder, lines, loader } = part;
  const { words } = execution.control;
  const forks = new Forks(part);

  class Worker extends Native {
    readonly #place: WorkerPlace;

    constructor(file: string | URL, options?: WorkerOptions) {
      const text = options?.eval ? loader.text(String(file)) : null;
      const place = forks.fork(options, text, (child) => {
        store(words, record(child) + T.State, STATE.Active);
      });
      const before = getEnvironmentData(PLACE);
      const { env } = options ?? {};
      const own = env && typeof env === 'object' ? { nodeOptions: env['NODE_OPTIONS'] ?? null } : {};
      setEnvironmentData(PLACE, { ...place, ...own } as never);
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
      } else if (event === 'message') lines.receive(toParent(this.#place.self), args[0], []);
      return super.emit(event, ...args);
    }

    override postMessage(value: unknown, transfer?: never): void {
      lines.send(toWorker(this.#place.self), value, transfer, () => super.postMessage(value, transfer));
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
  // Anything else than an object is Node's to refuse.
  if (env && typeof env === 'object') env = { ...(env as NodeJS.ProcessEnv), NODE_OPTIONS };
  else if (env === undefined && process.env['NODE_OPTIONS'] !== NODE_OPTIONS)
    env = { ...process.env, NODE_OPTIONS };
  // Workers made of text obey no `--import`.
  if (options.eval) execArgv = [...(execArgv ?? []), ...START_OPTIONS];
  return { ...options, ...(env && { env }), ...(execArgv && { execArgv }) };
}

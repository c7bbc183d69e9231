/** A thread of a pool: it runs the same worker of a program in one execution after the other. */
import { syncBuiltinESMExports } from 'node:module';
import workerThreads, { parentPort } from 'node:worker_threads';
import type { Linker } from '../../../monitor/modules/linker.ts';
import { threadLinker } from '../../tokens/linker.ts';
import { stuck, UNSETTLED } from '../ending.ts';
import { watchExit } from '../exit.ts';
import { type GatedPart, takeGatedPart } from './gated-part.ts';
import { type OwnWorkers, wrapGatedWorkers } from './gated-workers.ts';
import { Traces } from './traces.ts';
import type { Task, ThreadEnded } from './worker-pool.ts';
import { startOf } from './worker-program.ts';

/** Node's exit code for a worker that was terminated. */
const TERMINATED = 1;

interface Self {
  readonly part: GatedPart;
  readonly workers: OwnWorkers;
  readonly linker: Linker;
}

const up = parentPort!;
// Native: what the program calls is wrapped.
const tell = up.postMessage.bind(up);
const { exit } = process;
let self: Self | null = null;

up.on('message', (task: Task) => {
  work(task).catch((error: unknown) => setImmediate(() => rethrow(error)));
});

async function work({ data, place, port }: Task): Promise<void> {
  Object.assign(workerThreads, { parentPort: port, workerData: data, threadId: place.self });
  syncBuiltinESMExports();
  self ??= newSelf(place);
  const { linker, part, workers } = self;
  part.renew(place.execution.plan);
  if (place.text) part.loader.runs(place.text);
  part.listen(port as never);
  const start = await startOf(part, place, linker);
  const traces = new Traces();
  const program = async (): Promise<void> => {
    part.lines.open(data, place.enclosed);
    await start();
  };
  const result = await part.run(program, { until: 'idle' }).catch((error: unknown) => {
    if (part.holder.isStopped) return null;
    throw error;
  });
  if (result === null || part.holder.isStopped) {
    part.holder.retire();
    part.over();
    await workers.dismiss();
    tell({ code: TERMINATED } satisfies ThreadEnded);
    return;
  }
  if (result.status === 'fail') throw result.error;
  if (result.status === 'deadlock') exit.call(process, UNSETTLED);
  const code = Number(process.exitCode ?? 0);
  if (traces.any()) exit.call(process);
  part.lines.closeAll(place.self);
  part.over();
  await workers.dismiss();
  part.holder.end();
  tell({ code } satisfies ThreadEnded);
}

function newSelf(place: Task['place']): Self {
  const part = takeGatedPart(place, () => stuck(place.execution));
  const workers = wrapGatedWorkers(part);
  watchExit(() => {
    part.lines.closeAll(place.self);
    part.holder.end();
  });
  return { part, workers, linker: threadLinker(part.loader) };
}

function rethrow(error: unknown): never {
  throw error;
}

/** Loaded into every worker of a user's own program before its code. */
import workerThreads, { getEnvironmentData, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { stuck } from './ending.ts';
import { watchExit } from './exit.ts';
import type { WorkerPlace } from './forks.ts';
import { hideStart, PLACE } from './place.ts';
import { takePart } from './take-part.ts';
import type { TurnHolder } from './turn-holder.ts';
import { wrapWorkers } from './workers.ts';

function begin(place: WorkerPlace): void {
  hideStart();
  const { nodeOptions } = place;
  if (nodeOptions === null) delete process.env['NODE_OPTIONS'];
  else if (nodeOptions !== undefined) process.env['NODE_OPTIONS'] = nodeOptions;
  const part = takePart(place, () => stuck(place.execution));
  part.lines.open(workerData, place.enclosed);
  if (place.text) part.loader.runs(place.text);
  wrapWorkers(part);
  watchCalm(part.holder as TurnHolder);
  watchExit(() => part.holder.end());
}

/** A worker that has neither made a step nor listened after so long waits for something else. */
const CALM_MS = 100;

function watchCalm(holder: TurnHolder): void {
  setTimeout(() => holder.calm(), CALM_MS).unref();
  const { ref } = parentPort ?? {};
  // Whoever listens is there and waits.
  if (parentPort)
    Object.defineProperty(parentPort, 'ref', {
      value() {
        setImmediate(() => holder.calm());
        return ref!.call(parentPort);
      },
      ...{ configurable: true, writable: true, enumerable: false },
    });
}

const place = isMainThread ? undefined : (getEnvironmentData(PLACE) as unknown as WorkerPlace | undefined);
// Once: some workers are told twice.
// Where the event loops of threads are under the gate the entry of workers does all this.
if (place && !place.execution.plan.gated && !workerThreads.getEnvironmentData(`${PLACE} ${place.self}`)) {
  workerThreads.setEnvironmentData(`${PLACE} ${place.self}`, true);
  begin(place);
}

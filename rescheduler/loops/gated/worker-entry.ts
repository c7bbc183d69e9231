/** What a worker of a program under the gate runs: its program, loaded by us. */
import { getEnvironmentData, parentPort, workerData } from 'node:worker_threads';
import { stuck, UNSETTLED } from '../ending.ts';
import { watchExit } from '../exit.ts';
import { PLACE } from '../place.ts';
import { takeGatedPart } from './gated-part.ts';
import type { GatedPlace } from './gated-place.ts';
import { wrapGatedWorkers } from './gated-workers.ts';
import { startOf } from './worker-program.ts';

const place = getEnvironmentData(PLACE) as unknown as GatedPlace;
const part = takeGatedPart(place, () => stuck(place.execution));
if (place.text) part.loader.runs(place.text);
wrapGatedWorkers(part);
watchExit(() => {
  part.lines.closeAll(place.self);
  part.holder.end();
});
part.listen(parentPort as never);
const start = await startOf(part, place);
const result = await part.run(
  async () => {
    part.lines.open(workerData, place.enclosed);
    await start();
  },
  { until: 'idle' },
);
if (result.status === 'fail') throw result.error;
if (result.status === 'deadlock') process.exit(UNSETTLED);
// By itself it would wait for its parent, which waits for it, to take what it has printed.
if (process.listenerCount('beforeExit') === 0) process.exit();

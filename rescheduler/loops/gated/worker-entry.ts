/** What a worker of a program under the gate runs: its program, loaded by us. */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import { getEnvironmentData, workerData } from 'node:worker_threads';
import { stuck } from '../ending.ts';
import { watchExit } from '../exit.ts';
import { PLACE } from '../place.ts';
import { takeGatedPart } from './gated-part.ts';
import { type GatedPlace, wrapGatedWorkers } from './gated-workers.ts';
import { importerOf } from './load.ts';

/** Node's exit code for a module that waits for something that never comes. */
const UNSETTLED = 13;

const place = getEnvironmentData(PLACE) as unknown as GatedPlace;
const part = takeGatedPart(place, () => stuck(place.execution));
if (place.text) part.loader.know(place.text);
wrapGatedWorkers(part);
watchExit(() => {
  part.lines.closeAll(place.self);
  part.holder.end();
});
const start = place.isText ? evaluated(place.file) : await importer(place.file);
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

function importer(file: string): Promise<() => Promise<unknown>> {
  const url = /^[a-z]{2,}:/i.test(file) ? new URL(file) : pathToFileURL(file);
  process.argv[1] = url.protocol === 'file:' ? fileURLToPath(url) : url.href;
  return importerOf(part.loader, url);
}

/** As Node does it: a script in which `require` is known, or a module. */
function evaluated(text: string): () => unknown {
  process.argv[1] = '[worker eval]';
  const require = createRequire(`${process.cwd()}/[worker eval]`);
  const module = { exports: {} };
  Object.assign(globalThis, { require, module, exports: module.exports });
  return () => {
    try {
      return runInThisContext(text, { filename: '[worker eval]' });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return import(`data:text/javascript,${encodeURIComponent(text)}`);
    }
  };
}

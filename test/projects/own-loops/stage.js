// What files of programs with workers have in common.
import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

export const shared = (words = 4) => new Int32Array(new SharedArrayBuffer(4 * words));
export const ended = (worker) => once(worker, 'exit');

/** Starts workers of the program of a name in the file at `url`. */
export const starter =
  (url) =>
  (name, data = {}, rest = {}) =>
    new Worker(new URL(url), { workerData: { name, ...data }, ...rest });

/** Plays the part of this thread in the program whose name it was given; without one it tells all names. */
export async function play(programs) {
  const name = isMainThread ? process.argv[2] : workerData.name;
  if (name === undefined) console.log(JSON.stringify(Object.keys(programs)));
  else if (isMainThread) await programs[name].main(name);
  else await programs[name].worker(workerData);
}

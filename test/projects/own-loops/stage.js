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

/** Plays the part of this thread in the programs whose names it was given, one after the other; without one it tells all names. */
export async function play(programs) {
  if (!isMainThread) return programs[workerData.name].worker(workerData);
  const names = process.argv.slice(2);
  if (names.length === 0) console.log(JSON.stringify(Object.keys(programs)));
  for (const name of names) await programs[name].main(name);
}

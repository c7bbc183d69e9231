/** Times of files where the kernel's clock is too coarse to tell two changes apart. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { it } from 'node:test';
import { FileTimes } from '../../../monitor/host/fs-times.ts';

const FIELDS = 18;
const STAMP = 2_000_000_000;

/** What the kernel tells of one file: of this size, written and changed at one tick. */
function fields(size: number): number[] {
  const all = new Array<number>(FIELDS).fill(0);
  all[8] = size;
  for (const at of [12, 14]) all[at] = STAMP;
  return all;
}

/** As Node makes an object of the fields. */
function mtimeOf(stats: Float64Array, at: number): number {
  const object = Object.create(Object.getPrototypeOf(fs.statSync('.'))) as fs.Stats;
  object.mtimeMs = stats[at + 12]! * 1e3 + stats[at + 13]! / 1e6;
  return object.mtimeMs;
}

it('a watcher is told two times of a file that was changed twice within one tick of the kernel', () => {
  let size = 0;
  let moment = 0;
  const raw = { stat: () => Float64Array.from(fields(size)) };
  const controller = {
    rules: { clocks: true },
    root: {},
    epoch: () => 0,
    moment: () => moment,
    timeOf: (of: number) => of,
  };
  const times = new FileTimes({} as never, raw as never, controller as never);
  const write = (to: number, when: number) => {
    [size, moment] = [to, when];
    times.wrote('a');
  };
  write(1, 1000);
  // The watcher sees it before it is noted.
  const early = Float64Array.from([...fields(0), ...fields(1)]);
  times.tell(early);
  write(0, 6000);
  assert.deepEqual([mtimeOf(early, 0), mtimeOf(early, FIELDS)], [6000, 1000]);
  write(2, 6001);

  const told = Float64Array.from([...fields(2), ...fields(1)]);
  times.tell(told);
  assert.deepEqual([mtimeOf(told, 0), mtimeOf(told, FIELDS)], [6001, 1000]);
  // Of a size that nobody noted it is the latest.
  const other = Float64Array.from(fields(7));
  times.tell(other);
  assert.equal(mtimeOf(other, 0), 6001);
});

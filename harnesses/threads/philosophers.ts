/** Three philosophers. Bad: each takes the fork on the left first. Good: the one with the lower number first. */
import assert from 'node:assert/strict';
import { int32, list, Mutex, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const SEATS = 3;
const fields = { fork: list(Mutex.part, SEATS), meals: int32(SEATS) };

interface Table {
  readonly fork: readonly Mutex[];
  readonly meals: Int32Array;
  /** Which fork a philosopher takes first, and which then. */
  readonly forksOf: (seat: number) => readonly [number, number];
}

const leftAndRight = (seat: number): [number, number] => [seat, (seat + 1) % SEATS];

function dine({ fork, meals, forksOf }: Table, seat: number): void {
  const [first, second] = forksOf(seat);
  fork[first]!.runExclusive(() => fork[second]!.runExclusive(() => meals[seat]!++));
}

sharedTwins<Table>({
  name: 'philosophers',
  bad: record(fields, (attached) => ({ ...attached, forksOf: leftAndRight })),
  ok: record(fields, (attached) => ({
    ...attached,
    forksOf: (seat) => {
      const [left, right] = leftAndRight(seat);
      return left < right ? [left, right] : [right, left];
    },
  })),
  threads: {
    plato: (table) => dine(table, 0),
    kant: (table) => dine(table, 1),
    hegel: (table) => dine(table, 2),
  },
  check: ({ meals }) => assert.deepEqual([...meals], [1, 1, 1]),
  expect: { deadlock: true },
});

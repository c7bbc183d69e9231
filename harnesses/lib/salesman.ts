/**
 * The benchmark `tsp`: each thread completes every n-th beginning of a tour by branch and bound. The shortest
 * length so far is read without its lock to prune early, which is meant to be so: it only ever falls, and
 * whoever improves it looks again under the lock.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Mutex, record } from '../../monitor/threads/api.ts';
import { shared } from './shared.ts';

const FAR = 0x7fffffff;

/** Cities on a plane, the same for the same `seed`; what is between two of them, rounded. */
function distances(cities: number, seed: number): number[] {
  let state = seed;
  const random = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 1000;
  const at = Array.from({ length: cities }, () => [random(), random()] as const);
  return at.flatMap(([x, y]) => at.map(([u, v]) => Math.round(Math.hypot(x - u, y - v))));
}

/** Completes `tour` in every way that may be shorter than `bound()`; tells `found` the length of each that is. */
function complete(
  distance: (from: number, to: number) => number,
  cities: number,
  tour: number[],
  length: number,
  bound: () => number,
  found: (length: number) => void,
): void {
  if (length >= bound()) return;
  const last = tour[tour.length - 1]!;
  if (tour.length === cities) {
    found(length + distance(last, tour[0]!));
    return;
  }
  for (let city = 1; city < cities; city++)
    if (!tour.includes(city)) {
      tour.push(city);
      complete(distance, cities, tour, length + distance(last, city), bound, found);
      tour.pop();
    }
}

/** The length of the shortest tour, by one thread. */
function sequential(map: readonly number[], cities: number): number {
  let best = FAR;
  complete(
    (from, to) => map[from * cities + to]!,
    cities,
    [0],
    0,
    () => best,
    (length) => {
      best = Math.min(best, length);
    },
  );
  return best;
}

export interface SalesmanOptions {
  readonly cities: number;
  readonly threads: number;
  /** Which map. */
  readonly seed: number;
}

export function salesman(name: string, { cities, threads, seed }: SalesmanOptions): void {
  const fields = {
    shortestLock: Mutex.part,
    shortest: int32(),
    distance: int32(cities * cities),
  };
  type Problem = AttachedFields<typeof fields>;
  /** Beginnings of tours: 0, then one of the others, then a third. */
  const beginnings = (cities - 1) * (cities - 2);

  const beginning = (number: number): number[] => {
    const second = 1 + Math.floor(number / (cities - 2));
    const rest = Array.from({ length: cities - 1 }, (_, at) => at + 1).filter((city) => city !== second);
    return [0, second, rest[number % (cities - 2)]!];
  };

  const solve = (problem: Problem, self: number) => {
    const { shortestLock, shortest, distance } = problem;
    const between = (from: number, to: number) => distance[from * cities + to]!;
    const found = (length: number) => {
      if (length >= shortest[0]!) return;
      shortestLock.runExclusive(() => {
        if (length < shortest[0]!) shortest[0] = length;
      });
    };
    for (let number = self; number < beginnings; number += threads) {
      const tour = beginning(number);
      const length = between(0, tour[1]!) + between(tour[1]!, tour[2]!);
      complete(between, cities, tour, length, () => shortest[0]!, found);
    }
  };

  shared<Problem>({
    name,
    memory: record(fields),
    initial: ({ shortest, distance }) => {
      shortest[0] = FAR;
      for (const [at, length] of distances(cities, seed).entries()) distance[at] = length;
    },
    threads: Object.fromEntries(
      Array.from({ length: threads }, (_, self) => [
        `solver${self}`,
        (problem: Problem) => solve(problem, self),
      ]),
    ),
    check: ({ shortest }) => assert.equal(shortest[0], sequential(distances(cities, seed), cities)),
    expect: { bug: false },
  });
}

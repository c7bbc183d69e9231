/** Traces of threads that prediction is measured on. */
import type { Shape } from './threads.ts';

const STANDARD: Shape = {
  threads: 16,
  entities: 5000,
  locks: 200,
  methods: 60,
  depth: 3,
  burst: 50,
  spread: 16,
};

export const SHAPES = {
  /** Nested locks, thousands of entities. */
  standard: STANDARD,
  /** Every access to one of 300 entities: as many candidates as events. */
  hot: { ...STANDARD, entities: 300, spread: 150 },
  /** Locks taken and given back in no order. */
  unstructured: { ...STANDARD, locks: 40, depth: 4, unstructured: true },
  /** As the largest rows of Penelope's table: few threads and methods, long stretches of one thread … */
  tsp: { ...STANDARD, threads: 4, entities: 2000, locks: 5, methods: 12, depth: 1, burst: 900 },
  /** … and a switch every eighth event. */
  elevator: { ...STANDARD, threads: 5, entities: 500, locks: 50, methods: 20, depth: 2, burst: 15 },
} as const satisfies Record<string, Shape>;
export type ShapeName = keyof typeof SHAPES;

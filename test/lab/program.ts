/**
 * Random programs over everything that the gate holds: a tree of operations, each started in the very turn in which
 * the one above it was done. What a program tells is its order: one word for each thing that happened.
 */
import { generator } from '../../data/generator.ts';
import { CORE, HEAVY, operationsOf } from './operations/table.ts';

export interface Node {
  readonly id: number;
  readonly operation: string;
  /** See {@link Scene.n}. */
  readonly n: number;
  readonly then: readonly Node[];
}

export interface Program {
  readonly seed: number;
  readonly roots: readonly Node[];
}

/** Operations of one program. */
const LEAST = 5;
const MOST = 10;
/** How often one of them is one of the few that the program is about. */
const FEATURED = 0.45;

/**
 * The program of a seed. Consecutive seeds feature all operations in turn, `only` those given; the rest are timers,
 * immediates and file requests, which have most to do with each other.
 */
export function programOf(seed: number, only: readonly string[] = operationsOf(seed)): Program {
  const random = generator(seed);
  const int = (n: number): number => Math.floor(random() * n);
  const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T;
  const featured = [only[seed % only.length] as string, pick(only)];
  const size = LEAST + int(MOST - LEAST + 1);
  const nodes: { id: number; operation: string; n: number; then: Node[] }[] = [];
  const roots: Node[] = [];
  let heavy = 0;
  for (let id = 0; id < size; id++) {
    let operation = id === 0 ? (featured[0] as string) : random() < FEATURED ? pick(featured) : pick(CORE);
    if (HEAVY.has(operation) && ++heavy > 1) operation = pick(CORE);
    const node = { id, operation, n: 1 + int(4), then: [] };
    const above = nodes.length === 0 || random() < 0.4 ? null : pick(nodes);
    (above ? above.then : roots).push(node);
    nodes.push(node);
  }
  return { seed, roots };
}

/** For people. */
export function show({ roots }: Program): string {
  const one = ({ id, operation, n, then }: Node): string =>
    `${id}:${operation}(${n})${then.length > 0 ? ` → [${then.map(one).join(', ')}]` : ''}`;
  return roots.map(one).join(', ');
}

/**
 * The kinds of cut points that are looked for in a long trace: entity, program points and pattern. Of each, one
 * cut point is wanted for every pair of threads and classes of locks, while there is room.
 */
import { Op } from '../../../data/threads/trace.ts';
import type { WitnessedTriple } from '../pass/pass.ts';

/** An access of a kind that is looked for. */
export interface Access {
  readonly event: number;
  readonly thread: number;
  readonly entity: number;
  /** Twice the program point, plus 1 where it writes. */
  readonly shape: number;
  /** Number of its transaction, unique in the trace; -1 outside. */
  readonly transaction: number;
  /** Its epoch (pass/epochs.ts). */
  readonly epoch: number;
  /** Class of the locks held (pass/lock-classes.ts). */
  readonly lockClass: number;
  /** Outermost releases of its thread before it. */
  readonly releases: number;
}

/** Times that one pair of threads and classes is tried. */
const TRIES = 3;

export class OccurrenceKind {
  readonly candidate: WitnessedTriple;
  /** Cut points found. */
  found = 0;
  /** By threads and classes: how often it was tried; infinite: found. */
  private readonly tried = new Map<string, number>();

  constructor(candidate: WitnessedTriple) {
    this.candidate = candidate;
  }

  /** Whether another occurrence is worth trying. */
  wants(first: Access, remote: Access): boolean {
    return (this.tried.get(nameOf(first, remote)) ?? 0) < TRIES;
  }

  note(first: Access, remote: Access, isFound: boolean): void {
    const name = nameOf(first, remote);
    if (isFound) this.found += 1;
    this.tried.set(name, isFound ? Number.POSITIVE_INFINITY : (this.tried.get(name) ?? 0) + 1);
  }
}

const nameOf = (first: Access, remote: Access): string =>
  `${first.thread} ${remote.thread} ${first.lockClass} ${remote.lockClass}`;

const SHAPES = 2 ** 31;

/** Kinds by the accesses that they are made of. */
export class Kinds {
  readonly all: readonly OccurrenceKind[];
  private readonly entities: Uint8Array;
  private readonly accesses = new Set<number>();
  /** By entity; then by shapes of the local accesses. */
  private readonly locals: Map<string, OccurrenceKind[]>[] = [];

  constructor(candidates: readonly WitnessedTriple[], entities: number) {
    this.all = candidates.map((candidate) => new OccurrenceKind(candidate));
    this.entities = new Uint8Array(entities);
    for (const kind of this.all) {
      const { entity } = kind.candidate;
      const { first, remote, second } = shapesOf(kind.candidate);
      this.entities[entity] = 1;
      for (const shape of [first, remote, second]) this.accesses.add(entity * SHAPES + shape);
      const locals = (this.locals[entity] ??= new Map());
      const name = `${first} ${second}`;
      if (!locals.has(name)) locals.set(name, []);
      locals.get(name)!.push(kind);
    }
  }

  /** Whether some kind has such an access. */
  has(entity: number, point: number, op: number): boolean {
    return (
      this.entities[entity] === 1 &&
      this.accesses.has(entity * SHAPES + 2 * point + (op === Op.Write ? 1 : 0))
    );
  }

  /** Those that two local accesses belong to. */
  of(first: Access, second: Access): readonly OccurrenceKind[] {
    return this.locals[first.entity]?.get(`${first.shape} ${second.shape}`) ?? [];
  }
}

export function shapesOf({
  pattern,
  points,
}: WitnessedTriple): Record<'first' | 'remote' | 'second', number> {
  const bit = (at: number): number => (pattern[at] === 'W' ? 1 : 0);
  return {
    first: 2 * points.first + bit(0),
    remote: 2 * points.remote + bit(1),
    second: 2 * points.second + bit(2),
  };
}

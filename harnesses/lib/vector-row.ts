/** Penelope's rows of `Vector` and `Stack`: two threads, two small collections, one of them a parameter of a method of the other. */
import assert from 'node:assert/strict';
import { record } from '../../monitor/threads/api.ts';
import type { Expectation } from '../api.ts';
import { sharedTwins } from './shared.ts';
import { SafeVector, Vector, vectorFields } from './vector.ts';

export interface Vectors {
  readonly target: Vector;
  readonly source: Vector;
}

export interface VectorRow {
  readonly name: string;
  readonly target: readonly number[];
  readonly source: readonly number[];
  /** Calls a method of `target` that takes `source` as its parameter. */
  readonly use: (vectors: Vectors) => void;
  /** Changes `source` meanwhile. */
  readonly change: (source: Vector) => void;
  /** What the target may be at last: what some serial order makes of it. */
  readonly allowed: readonly (readonly number[])[];
  readonly expect: Omit<Expectation, 'bug'>;
}

const vectors = (Class: typeof Vector) => {
  const vector = record(vectorFields, (fields) => new Class(fields));
  return record({ target: vector, source: vector });
};

/** Registers `<name>/bad` and, with the collection that asks its parameter once, `<name>/ok`. */
export function vectorRow({ name, target, source, use, change, allowed, expect }: VectorRow): void {
  sharedTwins<Vectors>({
    name,
    bad: vectors(Vector),
    ok: vectors(SafeVector),
    initial: (vectors) => {
      for (const element of target) vectors.target.add(element);
      for (const element of source) vectors.source.add(element);
    },
    threads: { user: use, changer: (vectors) => change(vectors.source) },
    check: (vectors) => {
      const left = vectors.target.toArray().join();
      assert.ok(
        allowed.some((elements) => elements.join() === left),
        `the target became [${left}]`,
      );
    },
    expect,
  });
}

/** Arguments of the operations of a specification. */
import { createRequire } from 'node:module';
import type { Declared } from '../../harnesses/api.ts';
import { SubjectError } from '../subjects/protocol.ts';

/** Lists of arguments by operation. */
export type Draws = ReadonlyMap<string, readonly (readonly unknown[])[]>;

/** What is used of fast-check. */
interface Sampler {
  sample(arbitrary: unknown, how: { readonly numRuns: number; readonly seed: number }): unknown[];
}

const PACKAGE = 'fast-check';
const SEED = 7;
/** So many lists of arguments an arbitrary is asked for. */
const DRAWN = 40;

/**
 * The lists of arguments as they are given, or as fast-check makes them: the same for the same seed.
 * @param file where the specification is written; fast-check is looked for from there.
 * @throws SubjectError where an arbitrary is given and fast-check is not installed there.
 */
export function drawn({ name, operations, seed = SEED }: Declared<any>, file: string): Draws {
  const made = new Map<string, readonly (readonly unknown[])[]>();
  for (const [at, [operation, { args }]] of Object.entries(operations).entries()) {
    const how = { numRuns: DRAWN, seed: seed + at };
    if (args === undefined) made.set(operation, [[]]);
    else if (Array.isArray(args)) made.set(operation, args);
    else made.set(operation, lists(sampler(file, `${name}, operation '${operation}'`).sample(args, how)));
  }
  return made;
}

const lists = (values: readonly unknown[]): unknown[][] =>
  values.map((value) => (Array.isArray(value) ? value : [value]));

function sampler(file: string, what: string): Sampler {
  try {
    return createRequire(file)(PACKAGE) as Sampler;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new SubjectError(
      `scenario ${what}: its arguments are an arbitrary, and ${PACKAGE} is not installed`,
    );
  }
}

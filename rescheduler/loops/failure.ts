/** How the program of this process failed. */
import type { Failure } from '../../data/run.ts';
import { failureOf } from '../failure.ts';

let first: Failure | null = null;

/** What the program threw, or a test case of it; the first counts. */
export function failed(error: unknown): void {
  first ??= failureOf(error);
}

export const firstFailure = (): Failure | null => first;

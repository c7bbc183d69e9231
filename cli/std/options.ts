/** What `--std` and its companions ask for. */
import { UsageError } from '../errors.ts';
import type { Flags, Target } from '../options.ts';

export interface StdOptions {
  readonly file: string;
  /** Every reachable occurrence, rather than one of each kind. */
  readonly all: boolean;
  /** Where the trace and its cut points are to be kept; null: nowhere. */
  readonly store: string | null;
  /** Where the schedule of a cut point is written as a trace; null: nowhere. */
  readonly writeStd: string | null;
}

/** What `--std` and `--all` ask for; null: the command is about a store. */
export function stdOptions({ std, all, store, writeStd }: Flags, target: Target | null): StdOptions | null {
  if (std === undefined) {
    if (all) throw new UsageError('--all lists the occurrences of a trace: give it with --std <file>');
    if (writeStd !== undefined)
      throw new UsageError('--write-std writes a schedule of a trace: give it with --std <file>');
    return null;
  }
  if (all && store !== undefined) throw new UsageError('--all keeps nothing: leave out --store');
  if (target) throw new UsageError('give a trace (--std) or something to run, not both');
  return { file: std, all: all ?? false, store: store ?? null, writeStd: writeStd ?? null };
}

/** Whether the sources that a trace is about are still the ones that were recorded. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';

const recipeSchema = z.looseObject({ sources: z.record(z.string(), z.string()) });

/** File → hash of its content, or '' for one that cannot be read. */
export type Sources = Readonly<Record<string, string>>;

function hashOf(file: string, cwd: string): string {
  try {
    return createHash('sha1')
      .update(readFileSync(resolve(cwd, file)))
      .digest('hex');
  } catch {
    return '';
  }
}

/** The files that a trace has program points in. */
export function sourcesOf(trace: Trace, cwd: string): Sources {
  const files = new Set(trace.sites.map(({ file }) => file));
  return Object.fromEntries([...files].map((file) => [file, hashOf(file, cwd)]));
}

/** True when a file has changed since the test was recorded: what is known of the test is about other code. */
export function isStale({ recipe }: TestRecord, cwd: string): boolean {
  const known = recipeSchema.safeParse(recipe);
  if (!known.success) return false;
  return Object.entries(known.data.sources).some(([file, hash]) => hashOf(file, cwd) !== hash);
}

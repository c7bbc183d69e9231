/** Whether the sources that a trace is about are still the ones that were recorded. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import type { RunOptions } from '../options.ts';

const recipeSchema = z.looseObject({ sources: z.record(z.string(), z.string()), settings: z.string() });

/** Options that change what is recorded of a test, or predicted from it. */
const SETTINGS = [
  'instrument',
  'exclude',
  'locks',
  'atomic',
  'notAtomic',
  'assumeIo',
  'maxStallMs',
  'maxPauseMs',
] as const;

/** Equal for options under which a test is recorded and predicted alike. */
export function settingsOf(options: Pick<RunOptions, (typeof SETTINGS)[number]>): string {
  return JSON.stringify(SETTINGS.map((key) => options[key]));
}

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

/** True when a file or the options have changed since the test was recorded: what is known is about something else. */
export function isStale({ recipe }: TestRecord, options: RunOptions): boolean {
  const { cwd } = options;
  const known = recipeSchema.safeParse(recipe);
  if (!known.success) return false;
  if (known.data.settings !== settingsOf(options)) return true;
  return Object.entries(known.data.sources).some(([file, hash]) => hashOf(file, cwd) !== hash);
}

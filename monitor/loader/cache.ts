/** Instrumentation on disk: insertions and points by the hash of everything that they depend on. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders } from '../../data/make-folders.ts';
import type { InstrumentOptions, Plan } from '../instrument/types.ts';
import { writeJson } from './write-json.ts';

let stamp: string | null = null;

/** What the instrumenter's own files say: whoever changes a rule never meets stale text. */
export function instrumenterStamp(): string {
  if (stamp === null) {
    const root = join(dirname(fileURLToPath(import.meta.url)), '../instrument');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
    // Compiled, they name what they share with others by its content.
    const texts = files
      .filter((file) => /\.[jt]s$/.test(file))
      .map((file) => readFileSync(join(root, file), 'utf8'));
    stamp = hash('sha256', texts.join('\0'));
  }
  return stamp;
}

/** The name under which a file's plan is kept. `known`: the {@link instrumenterStamp}, where somebody has looked already. */
export function cacheKey(source: string, options: InstrumentOptions, known = instrumenterStamp()): string {
  return hash('sha256', JSON.stringify([known, options]) + source);
}

/** The plan kept under `key`; undefined where there is none that can be read; null: leave the file alone. */
export function readPlan(dir: string, key: string): Plan | null | undefined {
  try {
    return JSON.parse(readFileSync(join(dir, `${key}.json`), 'utf8')) as Plan | null;
  } catch {
    return undefined;
  }
}

/** Keeps a plan; a cache that cannot be written is no error. */
export function writePlan(dir: string, key: string, plan: Plan | null): void {
  try {
    makeFolders(dir);
    writeJson(join(dir, `${key}.json`), plan);
  } catch {
    // Read-only or full: the next process instruments again.
  }
}

/**
 * Rewritten modules on disk, by the hash of their text: a fresh process then starts without loading Babel.
 * A cache that cannot be written is no error.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders } from '../../data/make-folders.ts';
import { writeJson } from '../loader/write-json.ts';
import type { ModulePlan } from './rewrite-esm.ts';

type Stored = Omit<ModulePlan, 'exports'> & { readonly exports: readonly (readonly [string, unknown])[] };

/** What the rewriter's own file says: a new one never meets old entries. */
let stamp: string | null = null;
function rewriterStamp(): string {
  if (stamp === null) {
    const own = fileURLToPath(import.meta.url);
    stamp = hash('sha256', readFileSync(own.replace('plan-cache', 'rewrite-esm'), 'utf8'));
  }
  return stamp;
}

/** The plan for `text`, from the folder `dir` or made and kept there. */
export function cachedPlan(dir: string, text: string, make: () => ModulePlan): ModulePlan {
  const file = join(dir, `${hash('sha256', `${rewriterStamp()}\n${text}`)}.plan.json`);
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Stored;
    return { ...stored, exports: new Map(stored.exports) as ModulePlan['exports'] };
  } catch {
    // Not there, or not whole: made below.
  }
  const plan = make();
  try {
    makeFolders(dir);
    writeJson(file, { ...plan, exports: [...plan.exports] } satisfies Stored);
  } catch {
    // Read-only or full.
  }
  return plan;
}

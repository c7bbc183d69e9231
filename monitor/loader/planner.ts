/**
 * How a process under test has its files instrumented by another one, which has Babel loaded and warm: a process of one test file takes
 * longer to load it than to run its tests. They meet in a folder, as the one has to wait for its answer within a call, and nobody has to
 * answer: where none comes, the process does it itself.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { standStill } from '../../data/stand-still.ts';
import type { InstrumentOptions, Plan } from '../instrument/types.ts';
import { writeJson } from './write-json.ts';

/** What is asked for; its name is that of the answer, but for the ending. */
export const ASKED = '.asked';
const PLANNED = '.planned';

export interface PlanRequest {
  readonly source: string;
  readonly options: InstrumentOptions;
}

/** The plan (null: leave the file alone); or why there is none. */
export type PlanAnswer = { readonly plan: Plan | null } | 'does not parse' | 'failed';

/** Who does not look at what is asked for within this time is not there, or has too much to do, ms. */
const UNHEARD_MS = 1000;
/** Who has looked answers within this time, ms: as long as a bundle of several megabytes takes. */
const UNANSWERED_MS = 10_000;
const LOOK_MS = 1;

// The program may fake it later.
const now = performance.now.bind(performance);

let asked = 0;
let isHeard = true;

/** The answer of whoever looks into `folder`; null: there is none. Who has once got none does not ask again. */
export function askPlanner(folder: string, request: PlanRequest): Exclude<PlanAnswer, 'failed'> | null {
  if (!isHeard) return null;
  const id = join(folder, `${process.pid}-${threadId}-${asked++}`);
  isHeard = false;
  try {
    writeJson(`${id}${ASKED}`, request);
    if (!comesTrue(UNHEARD_MS, () => !existsSync(`${id}${ASKED}`))) return null;
    const isOver = () => existsSync(`${id}${PLANNED}`) || !existsSync(folder);
    if (!comesTrue(UNANSWERED_MS, isOver)) return null;
    const answer = JSON.parse(readFileSync(`${id}${PLANNED}`, 'utf8')) as PlanAnswer;
    isHeard = true;
    return answer === 'failed' ? null : answer;
  } catch {
    // The folder is gone, or cannot be written to.
    return null;
  }
}

/** Answers what was asked for in this file of the folder. */
export const answerPlan = (folder: string, file: string, answer: PlanAnswer): void =>
  writeJson(join(folder, `${file.slice(0, -ASKED.length)}${PLANNED}`), answer);

function comesTrue(within: number, isTrue: () => boolean): boolean {
  const end = now() + within;
  while (!isTrue()) {
    if (now() > end) return false;
    standStill(LOOK_MS);
  }
  return true;
}

/** The live status line: found / tried / planned / rate / time left. Always on stderr. */
import { createRequire } from 'node:module';
import type * as LogUpdate from 'log-update';
import { count } from './layout.ts';

/** What the pipeline knows at a moment. */
export interface ProgressState {
  /** `recording`, `predicting`, `forcing`, `confirming`. */
  readonly phase: string;
  /** Test being worked on, for people. */
  readonly test?: string;
  readonly tests?: { readonly done: number; readonly of: number };
  /** Bugs found. */
  readonly found: number;
  /** Schedules tried. */
  readonly tried: number;
  /** Schedules planned so far, those tried included. */
  readonly planned: number;
  /** Time since the start of forcing, ms. */
  readonly elapsedMs: number;
  /** Time left of the budget, ms; absent: there is none. */
  readonly leftMs?: number;
}

/** The pipeline calls `update` as often as it likes. */
export interface Progress {
  update(state: ProgressState): void;
  /** Removes the live line; nothing is written afterwards. */
  done(): void;
}

/** What a progress line is written to. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

const LIVE_EVERY_MS = 100;
const PLAIN_EVERY_MS = 10_000;

/** A duration for people: `8 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The status line of a state. */
export function progressLine({
  phase,
  test,
  tests,
  found,
  tried,
  planned,
  elapsedMs,
  leftMs = Number.POSITIVE_INFINITY,
}: ProgressState): string {
  const parts = [tests ? `${phase} ${tests.done}/${tests.of}` : phase];
  // Orders that chance chooses were not planned.
  const schedules = tried > planned ? count(tried, 'schedule') : `${tried} of ${count(planned, 'schedule')}`;
  if (tried + planned > 0) parts.push(`${found} found`, schedules);
  const rate = elapsedMs > 0 ? (tried * 1000) / elapsedMs : 0;
  if (rate > 0) {
    parts.push(`${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`);
    const expected = ((planned - tried) * 1000) / rate;
    if (planned > tried) parts.push(`about ${duration(Math.min(expected, leftMs))} left`);
  }
  if (test) parts.push(test);
  return parts.join(' · ');
}

/** What draws on terminals is not loaded elsewhere. */
const liveLine = (stream: ProgressStream): ReturnType<typeof LogUpdate.createLogUpdate> =>
  (createRequire(import.meta.url)('log-update') as typeof LogUpdate).createLogUpdate(stream);

/** For `--json -` and for tests. */
export const SILENT: Progress = { update() {}, done() {} };

/**
 * Live on a terminal; elsewhere a plain line when the phase changes and every ten seconds, so that a CI
 * log shows life without drowning.
 */
export function createProgress({
  quiet = false,
  stream = process.stderr,
  now = () => performance.now(),
}: {
  quiet?: boolean;
  stream?: ProgressStream;
  now?: () => number;
} = {}): Progress {
  if (quiet) return SILENT;
  const live = stream.isTTY ? liveLine(stream) : null;
  let last = Number.NEGATIVE_INFINITY;
  let phase = '';
  let ended = false;
  return {
    update(state) {
      const time = now();
      const due = time - last >= (live ? LIVE_EVERY_MS : PLAIN_EVERY_MS);
      if (ended || (!due && state.phase === phase)) return;
      last = time;
      phase = state.phase;
      const line = progressLine(state);
      if (live) live(line.slice(0, Math.max(20, (stream.columns ?? 80) - 1)));
      else stream.write(`unweave: ${line}\n`);
    },
    done() {
      if (ended) return;
      ended = true;
      live?.clear();
      live?.done();
    },
  };
}

/** What `--list` prints: the tests that would be run, and how long that may take. */
import { count } from './layout.ts';
import { duration } from './progress.ts';
import type { Style } from './style.ts';

/** The answer to `unweave run --list`. */
export interface ListView {
  readonly tests: readonly {
    readonly file: string;
    readonly name: string;
    /** From an earlier run; null when nothing is known. */
    readonly schedules: number | null;
  }[];
  /** At most this long, from the budgets. */
  readonly atMostMs: number;
  /** A guess from the rate of an earlier run. */
  readonly aboutMs: number | null;
}

/** Renders the list as text that ends with a newline. */
export function renderList({ tests, atMostMs, aboutMs }: ListView, style: Style): string {
  const lines = tests.map(({ file, name, schedules }) => {
    const known = schedules === null ? '' : style.colors.dim(` — ${count(schedules, 'schedule')} predicted`);
    return `${file} › ${name}${known}`;
  });
  const about = aboutMs === null ? '' : `about ${duration(aboutMs)}, `;
  lines.push(style.colors.bold(`${count(tests.length, 'test')}: ${about}at most ${duration(atMostMs)}`));
  return `${lines.join('\n')}\n`;
}

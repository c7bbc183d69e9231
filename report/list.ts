/** What `--list` prints: the tests that would be run, and how long that may take. */
import { count } from './layout.ts';
import { duration } from './progress.ts';
import type { Style } from './style.ts';

/** The answer to `unweave run --list`. */
export interface ListView {
  readonly tests: readonly {
    readonly file: string;
    readonly name: string;
    /** Predicted orders; null when nothing is known. */
    readonly schedules: number | null;
  }[];
  /** So long the budgets allow. */
  readonly atMostMs: number;
  /** A guess from one run and the predicted orders; null: nothing is known. */
  readonly aboutMs: number | null;
}

/** Renders the list as text that ends with a newline. */
export function renderList({ tests, atMostMs, aboutMs }: ListView, style: Style): string {
  const lines = tests.map(({ file, name, schedules }) => {
    const known = schedules === null ? '' : style.colors.dim(` — ${count(schedules, 'schedule')} predicted`);
    return `${file} › ${name}${known}`;
  });
  const allowed = `the budgets allow ${duration(atMostMs)}`;
  const time = aboutMs === null ? allowed : `about ${duration(aboutMs)}; ${allowed}`;
  lines.push(style.colors.bold(`${count(tests.length, 'test')}: ${time}`));
  return `${lines.join('\n')}\n`;
}

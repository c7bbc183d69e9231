/** Colouring of finished lines. Everything is laid out before it is coloured, so widths stay right. */
import type { Style } from './style.ts';

/** The three accesses of a pattern, as marks. */
export const MARKS = { first: '①', remote: '②', second: '③' } as const;

/** Colours `code` and the marks ①②③ in a laid-out line. */
export function ink(line: string, { colors, color }: Style): string {
  if (!color) return line;
  return line
    .replace(/`([^`]+)`/g, (_, text: string) => colors.cyan(text))
    .replace(/[①②③]/g, (mark) => colors.bold(colors.yellow(mark)));
}

/** A section's heading. */
export function heading(text: string, { colors }: Style): string {
  return colors.bold(text);
}

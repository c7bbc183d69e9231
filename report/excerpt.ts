/** Source excerpts of accesses, as code frames. */
import { codeFrameColumns } from '@babel/code-frame';
import type { ReportAccess, ReportBug } from '../data/report.ts';
import { callLines, type MarkedAccess } from './calls.ts';
import { MARKS } from './ink.ts';
import { enumerate } from './layout.ts';
import { place, verb } from './phrase.ts';
import type { SourceReader } from './sources.ts';
import type { Style } from './style.ts';
import type { AccessView, CutPointView } from './view.ts';

/** Code frames count columns from 0. The whole access is marked where the line still reads as recorded. */
function range({ line, column, text }: AccessView, source: string) {
  const start = { line, column: column - 1 };
  if (text === '' || !source.startsWith(text, column - 1)) return { start };
  return { start, end: { line, column: column - 1 + text.length } };
}

/** The accesses of a pattern, in source. */
export function renderExcerpts(cut: CutPointView, read: SourceReader, style: Style): string[] {
  const accesses = [cut.first, cut.remote, cut.second];
  return frames(cut.other ? [...accesses, cut.other.remote] : accesses, read, style);
}

/** The two accesses of an order bug, in source; none where it has none. */
export function renderFlip({ first, second }: ReportBug, read: SourceReader, style: Style): string[] {
  if (!first || !second) return [];
  const view = (access: ReportAccess): AccessView => ({ ...access, fn: '', text: '' });
  return frames([view(first), view(second)], read, style);
}

/** Who does what: `① ③ alice writes and ② bob writes`. */
function labelsOf(here: readonly MarkedAccess[]): string[] {
  const marks = Map.groupBy(here, ({ access: { task, access } }) => `${task} ${verb(access)}`);
  return [...marks].map(([what, all]) => `${[...new Set(all.map(({ mark }) => mark))].join(' ')} ${what}`);
}

/** One frame per place: symmetric tasks reach the same line as ② and ③. */
function frames(accesses: readonly AccessView[], read: SourceReader, style: Style): string[] {
  const places = new Map<string, MarkedAccess[]>();
  for (const [at, access] of accesses.entries()) {
    const here = places.get(place(access)) ?? [];
    // The fourth is what the remote task does to the other one of two variables.
    places.set(place(access), [...here, { mark: Object.values(MARKS)[at] ?? MARKS.remote, access }]);
  }
  return [...places.values()].flatMap((here) => {
    const { access } = here[0]!;
    const labels = labelsOf(here);
    const calls = callLines(here, read, style);
    const title = `${style.colors.bold(place(access))}${access.fn === '' ? '' : ` in ${access.fn}`}`;
    const source = read(access.file);
    const line = source?.split('\n')[access.line - 1];
    if (source === null || line === undefined)
      return [title, `  ${access.text}   ${enumerate(labels)}`, ...calls];
    const frame = codeFrameColumns(source, range(access, line), {
      linesAbove: 1,
      linesBelow: 1,
      message: enumerate(labels),
      highlightCode: style.color,
      forceColor: style.color,
    });
    return [title, ...frame.split('\n'), ...calls];
  });
}

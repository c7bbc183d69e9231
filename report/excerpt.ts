/** Source excerpts of the three accesses, as code frames. */
import { codeFrameColumns } from '@babel/code-frame';
import { MARKS } from './ink.ts';
import { enumerate } from './layout.ts';
import { place, verb } from './phrase.ts';
import type { SourceReader } from './sources.ts';
import type { Style } from './style.ts';
import type { AccessView, CutPointView, Role } from './view.ts';

/** Code frames count columns from 0. The whole access is marked where the line still reads as recorded. */
function range({ line, column, text }: AccessView, source: string) {
  const start = { line, column: column - 1 };
  if (text === '' || !source.startsWith(text, column - 1)) return { start };
  return { start, end: { line, column: column - 1 + text.length } };
}

/** One frame per place: symmetric tasks reach the same line as ② and ③. */
export function renderExcerpts(cut: CutPointView, read: SourceReader, style: Style): string[] {
  const places = new Map<string, { access: AccessView; labels: string[] }>();
  for (const role of ['first', 'remote', 'second'] as const satisfies readonly Role[]) {
    const access = cut[role];
    const entry = places.get(place(access)) ?? { access, labels: [] };
    entry.labels.push(`${MARKS[role]} ${access.task} ${verb(access.access)}`);
    places.set(place(access), entry);
  }
  return [...places.values()].flatMap(({ access, labels }) => {
    const title = `${style.colors.bold(place(access))}${access.fn === '' ? '' : ` in ${access.fn}`}`;
    const source = read(access.file);
    const line = source?.split('\n')[access.line - 1];
    if (source === null || line === undefined) return [title, `  ${access.text}   ${enumerate(labels)}`];
    const frame = codeFrameColumns(source, range(access, line), {
      linesAbove: 1,
      linesBelow: 1,
      message: enumerate(labels),
      highlightCode: style.color,
      forceColor: style.color,
    });
    return [title, ...frame.split('\n')];
  });
}

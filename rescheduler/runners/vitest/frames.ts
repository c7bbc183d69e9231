/** Places of stack frames in the user's text, as Vitest itself tells them: its formatter knows the maps of all modules. */
import type { FrameReader } from '../../../monitor/record/call-site.ts';

const PLACE = /:(\d+):(\d+)\)?$/;

export function framesOf(format: ErrorConstructor['prepareStackTrace']): FrameReader {
  if (!format) return () => null;
  const nobody = new Error('');
  return (frame) => {
    const [, line, column] = PLACE.exec(String(format(nobody, [frame])).trimEnd()) ?? [];
    return line === undefined ? null : { line: Number(line), column: Number(column) };
  };
}

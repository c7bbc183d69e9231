/** Places of stack frames in the user's text, as Vitest itself tells them: its formatter knows the maps of all modules. */
import { basename } from 'node:path';
import { loaderConfig } from '../../../monitor/loader/config.ts';
import { toldName } from '../../../monitor/loader/originals.ts';
import type { FrameReader } from '../../../monitor/record/call-site.ts';

const PLACE = /((?:file:\/\/)?\/[^()]*)?:(\d+):(\d+)\)?$/;

export function framesOf(format: ErrorConstructor['prepareStackTrace']): FrameReader {
  if (!format) return () => null;
  const nobody = new Error('');
  return (frame) => {
    const [, path, line, column] = PLACE.exec(String(format(nobody, [frame])).trimEnd()) ?? [];
    if (line === undefined) return null;
    const place = { line: Number(line), column: Number(column) };
    const name = frame.getFileName() ?? '';
    if (path === undefined || basename(path) === basename(name)) return place;
    // The file was made of another one, whose map Vite has followed.
    const file = toldName(path, name, loaderConfig().cwd);
    return file === null ? place : { file, ...place };
  };
}

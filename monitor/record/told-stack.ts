/** The stack of an error as its program was written: frames in files that were made of others are told in those. */
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loaderConfig } from '../loader/config.ts';
import { wasRead } from '../loader/load.ts';
import { placerOfFile } from '../loader/originals.ts';
import { originalColumn } from '../runtime/to-string.ts';

const FRAME = /^(\s*at .*?)((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)(\)?)$/;

export function toldStack(stack: string): string {
  return stack.split('\n').map(toldFrame).join('\n');
}

function toldFrame(frame: string): string {
  const [, head, name, line, column, tail] = FRAME.exec(frame) ?? [];
  if (name === undefined || name.includes('/node:')) return frame;
  try {
    const { cwd } = loaderConfig();
    const path = name.startsWith('file:') ? fileURLToPath(name.replace(/[?#].*$/, '')) : name;
    // Where Node reads maps, what is left to be told is what runs.
    if (process.sourceMapsEnabled && !wasRead(path)) return frame;
    const placer = placerOfFile(path, cwd);
    if (placer === null) return frame;
    const [row, at] = [Number(line), Number(column)];
    const place = placer(row, originalColumn(relative(cwd, path), row, at) ?? at);
    return place ? `${head}${resolve(cwd, place.file)}:${place.line}:${place.column}${tail}` : frame;
  } catch {
    // A name that is no file.
    return frame;
  }
}

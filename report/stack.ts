/** The user's own frames of a stack trace. */
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OWN_FOLDERS } from '../data/own-folders.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OWN = OWN_FOLDERS.map((name) => ROOT + name + sep);

const FRAME = /^\s*at (?:(.*?) \()?((?:file:\/\/)?[^()]*?):(\d+):(\d+)\)?$/;

interface StackFrame {
  readonly fn: string;
  readonly file: string;
  readonly at: string;
}

function parseFrame(line: string): StackFrame | null {
  const match = FRAME.exec(line);
  if (!match) return null;
  const [, fn = '', where = '', row, column] = match;
  if (where.startsWith('node:')) return null;
  const path = where.replace(/[?#].*$/, '').replace(/^async /, '');
  let file: string;
  try {
    file = path.startsWith('file://') ? fileURLToPath(path) : path;
  } catch {
    return null;
  }
  if (!isAbsolute(file)) return null;
  return { fn, file, at: `:${row}:${column}` };
}

/** The first frames that the user can do something about, relative to `cwd`: own code before packages. */
export function userFrames(stack: string, cwd: string, limit = 3): string[] {
  const frames = stack
    .split('\n')
    .map(parseFrame)
    .filter((frame) => frame !== null)
    .filter(({ file }) => !OWN.some((folder) => file.startsWith(folder)));
  const inPackage = ({ file }: StackFrame) => file.includes(`${sep}node_modules${sep}`);
  const own = frames.filter((frame) => !inPackage(frame));
  return (own.length > 0 ? own : frames).slice(0, limit).map(({ fn, file, at }) => {
    const near = relative(cwd, file);
    const path = (near.startsWith('..') ? file : near) + at;
    return fn === '' ? `at ${path}` : `at ${fn} (${path})`;
  });
}

/** The statement that threw, as it is written. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FRAME = /^\s*at .*?((?:file:\/\/)?\/[^():]+):(\d+):\d+\)?$/;
/** Of a statement so many lines are looked at. */
const MOST_LINES = 8;

/** null: the stack names no line of a file that can be read. */
export function statementOf(stack: string): string | null {
  const frame = stack.split('\n').find((line) => FRAME.test(line) && !line.includes('node:'));
  const [, file, line] = FRAME.exec(frame ?? '') ?? [];
  if (!file) return null;
  try {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .slice(Number(line) - 1, Number(line) - 1 + MOST_LINES);
    const last = lines.findIndex((each) => /[;,)}]\s*$/.test(each));
    return lines.slice(0, last + 1).join('\n');
  } catch {
    return null;
  }
}

/**
 * What another process has told of an error of its own, without what is ours in it: a program that nobody watches knows neither our
 * files nor that an error of the host went through one of them.
 */
import { isOurScript } from '../loader/select.ts';

/** Node shows where an error was thrown: the place, a line of the source, a mark below. */
const THROWN_AT = /^((?:file:\/\/)?\/.+):\d+$/;
const MARK = /^\s*\^+\s*$/;
const FRAME = /^\s+at (?:.* \()?(?:async )?((?:file:\/\/)?\/.+?):\d+:\d+\)?$/;

export function withoutOwnFrames(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (isOwn(THROWN_AT.exec(line)?.[1]) && MARK.test(lines[i + 2] ?? '')) i += lines[i + 3] === '' ? 3 : 2;
    else if (!isOwn(FRAME.exec(line)?.[1])) kept.push(line);
  }
  return kept.join('\n');
}

function isOwn(script: string | undefined): boolean {
  try {
    return script !== undefined && isOurScript(script);
  } catch {
    // A URL that is no path.
    return false;
  }
}

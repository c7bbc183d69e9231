/**
 * What has no name of its own is called by where it was made: `Map@src/a.ts:5[key]`. Where the line there gives it to one variable or field,
 * people call it by that: `status[key]`.
 */
import { type SourceReader, sourceLine } from './sources.ts';

const MADE_AT = /\b[A-Z]\w*@([^`\s[\]#]+):(\d+)(?:#(?=[\w$]))?/g;

/** `status = new Map()`, `rows: []`, `const account = {`. */
const GIVEN_TO =
  /(?<![\w$.])(?:this\.)?(#?[A-Za-z_$][\w$]*)\s*(?::\s*[\w$<>[\], |]+)?[=:]\s*(?:new\s+[A-Z]\w*|\[|\{)/g;

const LONGEST = 500;

/** A sentence with such names in people's words. */
export function withHolders(text: string, read: SourceReader): string {
  return text.replace(MADE_AT, (all: string, file: string, line: string) => {
    const source = sourceLine(read, { file, line: Number(line), column: 1 }) ?? '';
    // Nobody wrote that by hand.
    if (source.length > LONGEST) return all;
    const [found, ...others] = [...source.matchAll(GIVEN_TO)];
    if (!found || others.length > 0) return all;
    return `${found[1]}${all.endsWith('#') ? '.' : ''}`;
  });
}

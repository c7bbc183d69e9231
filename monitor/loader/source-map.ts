/** Keeps the source map of a text true when something is put into its lines. */
import { createRequire, type SourceMap } from 'node:module';
import type { SiteInfo } from '../runtime/index.ts';

// Only what a loader rewrites has a map: whoever has no such loader does not load this.
const require = createRequire(import.meta.url);
const codec = () => require('@jridgewell/sourcemap-codec') as typeof import('@jridgewell/sourcemap-codec');

/** What was put into one line: before which column of it, and of what length. */
export type Put = readonly { readonly column: number; readonly length: number }[];

/**
 * The `mappings` of a source map (its format is that of ECMA-426) after `puts` were made, by line. Only the column in
 * the text itself changes, which is the first number of a segment.
 */
export function shifted(mappings: string, puts: readonly (Put | undefined)[]): string {
  const { decode, encode } = codec();
  const lines = decode(mappings);
  for (const [at, line] of lines.entries()) {
    let moved = 0;
    let next = 0;
    const put = puts[at] ?? [];
    for (const segment of line) {
      for (; next < put.length && put[next]!.column <= segment[0]; next++) moved += put[next]!.length;
      segment[0] += moved;
    }
  }
  return encode(lines);
}

/** By line of `text`, what was put into it: `inserted` are pairs of position and length in the text as it is now. */
export function putsOf(text: string, inserted: Int32Array): (Put | undefined)[] {
  const puts: { column: number; length: number }[][] = [];
  let line = 0;
  let begin = 0;
  let inLine = 0;
  for (let i = 0; i < inserted.length; i += 2) {
    const [at, length] = [inserted[i]!, inserted[i + 1]!];
    for (let end = text.indexOf('\n', begin); end >= 0 && end < at; end = text.indexOf('\n', begin)) {
      line += 1;
      begin = end + 1;
      inLine = 0;
    }
    const of = (puts[line] ??= []);
    of.push({ column: at - begin - inLine, length });
    inLine += length;
  }
  return puts;
}

/** A point of a text that was made of a file, where it is in the file. */
export function placedBy(site: SiteInfo, map: SourceMap): SiteInfo {
  const entry = map.findEntry(site.line - 1, site.column - 1);
  if (!('originalLine' in entry)) return site;
  return { ...site, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

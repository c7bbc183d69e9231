/** Keeps the source map of a text true when something is put into its lines. */
import { existsSync } from 'node:fs';
import { createRequire, type SourceMap, type SourceMapPayload } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import type { Applied } from '../instrument/edits.ts';
import type { MappedPlace, SiteInfo } from '../runtime/types.ts';
import { mapOf, namedMap, sourcesOf, toldName } from './originals.ts';

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

/** An instrumented text with the map that the text of the file at `path` names, kept true. */
export function withMap(path: string, source: string, { code, inserted }: Applied): string {
  const named = namedMap(code);
  const found = named && namedPayload(path, source);
  if (!found) return code;
  const mappings = shifted(found.mappings, putsOf(code, inserted));
  const payload = JSON.stringify({ ...found, mappings });
  const rest = code.slice(named.end);
  return `${code.slice(0, named.start)}${HEAD}${Buffer.from(payload).toString('base64')}${rest}`;
}

/**
 * The map that the text of the file at `path` names, its sources by their whole URLs; null where it names none, or one that
 * cannot be read, which tells nobody anything, or one in sections, which nothing can be shifted in.
 */
export function namedPayload(path: string, text: string): SourceMapPayload | null {
  const found = mapOf(path, text);
  if (!found || !('mappings' in found.json)) return null;
  try {
    const payload = {
      ...found.json,
      sourceRoot: '',
      sources: sourcesOf(found),
    } as unknown as SourceMapPayload;
    codec().decode(payload.mappings);
    return payload;
  } catch {
    return null;
  }
}

/** What stands before a map in base64. */
export const HEAD = '//# sourceMappingURL=data:application/json;base64,';

/** A point of a text that was made of the file at `path`, where it is in that, or in what that was made of. */
export function placedBy(site: SiteInfo, map: SourceMap, path: string, cwd: string): SiteInfo {
  const { file, line, column } = site;
  const place = entryAt(map, line, column, path, cwd);
  if (place === null) return site;
  const isElsewhere = place.file !== undefined && place.file !== file;
  return { ...site, ...place, ...(isElsewhere ? { made: { file, line, column } } : {}) };
}

/** What a map of a text that was made of the file at `path` says of a place in it. `file`: of those that were made into that file. */
export function entryAt(
  map: SourceMap,
  line: number,
  column: number,
  path: string,
  cwd: string,
): MappedPlace | null {
  const entry = map.findEntry(line - 1, column - 1);
  if (!('originalLine' in entry)) return null;
  const place = { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  // Whoever makes one text of one file may name it as they like.
  const file = isChain(map, path) ? toldName(entry.originalSource, path, cwd) : null;
  return file === null ? place : { ...place, file };
}

const chains = new WeakMap<SourceMap, boolean>();

/** Whether a map is to other files than the one at `path`. */
function isChain(map: SourceMap, path: string): boolean {
  let is = chains.get(map);
  if (is === undefined) chains.set(map, (is = !isSame(map.payload, path)));
  return is;
}

/** Whether a map is to the file itself, however it names that. */
const isSame = ({ sources }: SourceMapPayload, path: string): boolean =>
  sources.some((source) => {
    const name = String(source).replace(/[?#].*$/, '');
    if (basename(name) !== basename(path)) return false;
    const other = resolve(dirname(path), name.startsWith('file:') ? new URL(name).pathname : name);
    return other === path || !existsSync(other);
  });

/**
 * Where a place of a text that was made of other files is in those, by the source map that the text names (ECMA-426). What is
 * wrong with a map costs what it says, and nothing else: the text itself is a place, too.
 */
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SectionedSourceMapInput, TraceMap } from '@jridgewell/trace-mapping';
import type { Plan } from '../instrument/types.ts';
import type { SiteInfo, SourcePlace } from '../runtime/types.ts';

/** Takes a place of one text to where it was written; null: it is not known to be elsewhere. */
export type Placer = (line: number, column: number) => SourcePlace | null;

/** What a map may be: more is no map of a program. */
const LARGEST = 128 * 1024 * 1024;
const MOST_LINES = 10_000_000;
const LONGEST_NAME = 500;

// Only what names a map needs it.
const require = createRequire(import.meta.url);
const library = () => require('@jridgewell/trace-mapping') as typeof import('@jridgewell/trace-mapping');

const COMMENT = /\/[/*][#@][ \t]*sourceMappingURL=([^\s'"`*]+)[ \t]*(?:\*\/)?[ \t]*(?=[\r\n]|$)/y;

/** A map, and the URL that its sources are named from. */
export interface FoundMap {
  readonly json: object;
  readonly url: string;
}

/** The map that a text names, and where the comment stands; null where it names none. */
export function namedMap(
  text: string,
): { readonly url: string; readonly start: number; readonly end: number } | null {
  const name = text.lastIndexOf('sourceMappingURL=');
  if (name < 0) return null;
  const start = Math.max(text.lastIndexOf('//', name), text.lastIndexOf('/*', name));
  if (start < 0) return null;
  COMMENT.lastIndex = start;
  const url = COMMENT.exec(text)?.[1];
  return url === undefined ? null : { url, start, end: COMMENT.lastIndex };
}

/** Changes with what places of a text are told by, beyond the text itself; empty where it names no map. */
export function mapStamp(path: string, text: string): string {
  const url = namedMap(text)?.url;
  if (url === undefined) return '';
  try {
    const file = fileOf(url, path);
    if (file === null) return 'inline';
    const { size, mtimeMs } = statSync(file);
    return `${size} ${mtimeMs}`;
  } catch {
    return 'none';
  }
}

/** The map that the text of the file at `path` names, as it stands there; null where there is none that can be read. */
export function mapOf(path: string, text: string): FoundMap | null {
  const url = namedMap(text)?.url;
  if (url === undefined) return null;
  try {
    const file = fileOf(url, path);
    const found = file === null ? inData(url) : inFile(file);
    // A file may begin so that no browser runs it.
    const json: unknown = found === null ? null : JSON.parse(found.replace(/^\)\]\}'[^\n]*\n/, ''));
    if (typeof json !== 'object' || json === null) return null;
    return { json, url: pathToFileURL(file ?? path).href };
  } catch {
    return null;
  }
}

/** Knows the text of the file at `path`. `cwd`: what files are named from. */
export function placerOf(path: string, text: string, cwd: string): Placer | null {
  const found = mapOf(path, text);
  if (found === null || !isBounded(found.json, text)) return null;
  const { FlattenMap, traceSegment } = library();
  let map: TraceMap;
  let files: readonly (string | null)[];
  try {
    map = new FlattenMap(found.json as SectionedSourceMapInput, found.url);
    files = map.resolvedSources.map((source) => toldName(source, path, cwd));
    // The rest is read when it is first asked.
    traceSegment(map, 0, 0);
  } catch {
    return null;
  }
  return (line, column) => {
    const [, source, at, behind] = traceSegment(map, line - 1, Math.max(0, column - 1)) ?? [];
    const file = source === undefined ? null : files[source];
    if (!file || !isPosition(at) || !isPosition(behind)) return null;
    return { file, line: at + 1, column: behind + 1 };
  };
}

/** The sources of a map by their whole URLs. Throws where it is none. */
export function sourcesOf({ json, url }: FoundMap): readonly string[] {
  const { FlattenMap } = library();
  return new FlattenMap({ ...json, mappings: '' } as SectionedSourceMapInput, url).resolvedSources;
}

const isPosition = (value: number | undefined): value is number =>
  Number.isInteger(value) && value! >= 0 && value! < MOST_LINES;

const known = new Map<string, Placer | null>();

/** Knows the file at `path` as it is on disk. */
export function placerOfFile(path: string, cwd: string): Placer | null {
  let placer = known.get(path);
  if (placer === undefined) {
    try {
      placer = placerOf(path, inFile(path) ?? '', cwd);
    } catch {
      placer = null;
    }
    known.set(path, placer);
  }
  return placer;
}

/** The plan of a text whose points are told where they were written. */
export function withOriginals(plan: Plan, path: string, text: string, cwd: string): Plan {
  const placer = placerOf(path, text, cwd);
  return placer ? { ...plan, sites: plan.sites.map((site) => placed(site, placer)) } : plan;
}

/** A point of a text that was made of other files is told as one of those. */
export function placed(site: SiteInfo, placer: Placer): SiteInfo {
  const { file, line, column } = site;
  const place = placer(line, column);
  return place ? { ...site, ...place, made: { file, line, column } } : site;
}

/** The file that a URL of a map names; null where it holds the map itself. Throws where it is elsewhere. */
function fileOf(url: string, path: string): string | null {
  if (url.startsWith('data:')) return null;
  const { href, protocol } = new URL(url, pathToFileURL(path));
  if (protocol !== 'file:') throw new TypeError(`${protocol} is not looked into`);
  return fileURLToPath(href.replace(/[?#].*$/, ''));
}

function inFile(file: string): string | null {
  const found = statSync(file);
  return found.isFile() && found.size <= LARGEST ? readFileSync(file, 'utf8') : null;
}

function inData(url: string): string | null {
  const [head, ...rest] = url.split(',');
  if (!/^data:application\/json(?:;|$)/.test(head!)) return null;
  const data = rest.join(',');
  return head!.endsWith(';base64') ? Buffer.from(data, 'base64').toString() : decodeURIComponent(data);
}

/** Where maps stand side by side in one, each says at which line it begins: so many lines are made before it. */
function isBounded(json: object, text: string): boolean {
  const { sections } = json as { readonly sections?: unknown };
  if (sections === undefined) return true;
  const lines = text.split('\n').length;
  const begins = (offset: { line?: number } | undefined) => isPosition(offset?.line) && offset!.line! < lines;
  return (
    Array.isArray(sections) &&
    sections.every((part) => begins(part?.offset) && !Object.hasOwn(part.map ?? {}, 'sections'))
  );
}

const NAME = /[^/.][^/]*\.\w{1,10}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * A source of a map as reports name it; null where it names none. Bundlers have schemes of their own, whose paths begin where
 * they were called.
 */
export function toldName(source: string | null | undefined, path: string, cwd: string): string | null {
  if (!source || source.length > LONGEST_NAME) return null;
  let file: string;
  try {
    if (/^(?:https?|data|node|blob):/.test(source)) return null;
    if (source.startsWith('file:')) file = fileURLToPath(source.replace(/[?#].*$/, ''));
    else {
      const [, inScheme] = /^[\w+.-]+:\/\/[^/]*\/(.*)$/.exec(source.replace(/\?[^/]*$/, '')) ?? [];
      file = inScheme === undefined ? resolve(dirname(path), source) : resolve(cwd, `./${inScheme}`);
    }
  } catch {
    return null;
  }
  if (!isAbsolute(file) || !NAME.test(file) || UNPRINTABLE.test(file)) return null;
  return relative(cwd, file).split(sep).join('/');
}

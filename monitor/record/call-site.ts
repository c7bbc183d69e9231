/** Where in the user's text something happens, and from where that was called: stack frames in instrumented files. */

import { readFileSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isOfRunners } from '../../data/runners.ts';
import type { Site } from '../../data/trace.ts';
import { loaderConfig } from '../loader/config.ts';
import { placerOfFile, toldName } from '../loader/originals.ts';
import { packageOfScript } from '../loader/select.ts';
import type { MappedPlace, SiteInfo, SourcePlace } from '../runtime/types.ts';
import { setStackDepth } from '../stack-depth.ts';

export interface SitePlace {
  /** Relative to the working directory. */
  readonly file: string;
  readonly line: number;
}

/** What runs on the stack at a place. */
export interface Running extends SitePlace {
  /** In the instrumented text, from 1. */
  readonly column: number;
  /** Where that was written, where it is known at once. */
  readonly told: SourcePlace | null;
  /** Name of the function as the engine knows it; null: it has none. */
  readonly fn: string | null;
}

const DEPTH = 40;
/** Who calls the host is mostly within so many frames, and each costs. */
const NEAR = 16;

/** Structured frames: no text to parse, and the user's own formatter is not run. */
const structured = (_error: unknown, frames: unknown) => frames;

function stack(depth: number): readonly NodeJS.CallSite[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  const holder: { stack?: unknown } = {};
  // Frozen (`--frozen-intrinsics`): places are not known.
  if (!setStackDepth(depth)) return [];
  Error.prepareStackTrace = structured;
  Error.captureStackTrace(holder, stack);
  const frames = holder.stack;
  Error.prepareStackTrace = prepareStackTrace;
  setStackDepth(stackTraceLimit);
  // While a stack is being formatted the engine formats no other: a formatter that reads files is nowhere.
  return Array.isArray(frames) ? frames : [];
}

/** What runs in files that `userFile` knows, by the names that it gives; innermost first, suspended callers left out. */
export function* running(
  userFile: (name: string) => string | null,
  depth: number = DEPTH,
  /** Told of the scripts of the other frames, Node's own among them. */
  other: (name: string) => void = () => {},
): Generator<Running> {
  for (const frame of stack(depth)) {
    const name = frame.getFileName();
    if (!name || frame.isAsync()) continue;
    const file = name.startsWith('node:') ? null : userFile(name);
    if (file === null) other(name);
    // Lines are worked out only for frames that are wanted: it is what costs.
    const line = file === null ? null : frame.getLineNumber();
    if (file === null || line === null) continue;
    const column = frame.getColumnNumber() ?? 1;
    const place = readFrame(frame) ?? toldByNode(name, line, column);
    yield { file, line, column, told: place && { file, ...place }, fn: frame.getFunctionName() };
  }
}

const isFile = (url: string): boolean => url.startsWith('file:');
const urlOf = (name: string): string =>
  isFile(name) ? name.replace(/[?#].*$/, '') : pathToFileURL(name).href;

/**
 * A place in the instrumented text, which keeps lines. A loader that rewrites that once more, as tsx does when it leaves out
 * line breaks, tells by a source map where it was; so does whoever made the file of others. Null: Node knows no map.
 */
function toldByNode(name: string, line: number, column: number): MappedPlace | null {
  const map = process.sourceMapsEnabled ? findSourceMap(name) : undefined;
  const entry = map?.findEntry(line - 1, column - 1);
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return null;
  const place = { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  if (urlOf(entry.originalSource) === urlOf(name)) return place;
  const file = toldName(entry.originalSource, fileURLToPath(urlOf(name)), loaderConfig().cwd);
  return file === null || entry.generatedLine !== line - 1 ? null : { file, ...place };
}

/**
 * Where something that runs was written. Reads files: only when the run is over, or where none is recorded.
 * `originalColumn`: in the text before it was instrumented.
 */
export function writtenAt(
  { file, line, column, told }: Omit<Running, 'fn'>,
  originalColumn: InstrumentedTexts['originalColumn'] = () => null,
): SourcePlace | null {
  if (told) return told;
  const { cwd } = loaderConfig();
  return placerOfFile(resolve(cwd, file), cwd)?.(line, originalColumn(file, line, column) ?? column) ?? null;
}

/** What is innermost on the stack in a file that `userFile` knows, by the name that it gives. */
export function stackPlace(userFile: (name: string) => string | null): Running | null {
  for (const depth of [NEAR, DEPTH]) for (const found of running(userFile, depth)) return found;
  return null;
}

/** Where a frame is in the user's text, for texts that this process did not make; null: as the engine says. */
export type FrameReader = (frame: NodeJS.CallSite) => MappedPlace | null;

let readFrame: FrameReader = () => null;

/** From here on places of such texts are known by `reader`. */
export function readFramesBy(reader: FrameReader): void {
  readFrame = reader;
}

/** What is known of the files that were instrumented here. */
export interface InstrumentedTexts {
  /** More come, behind those that were there. */
  allSites(): readonly SiteInfo[];
  /** The column as it was before; null: the file is not known. */
  originalColumn(file: string, line: number, column: number): number | null;
}

export class CallSites {
  private readonly texts: InstrumentedTexts;
  private readonly files = new Set<string>();
  private known = 0;
  /** Scripts that are not instrumented and were on the stack, and packages that were so before the program began. */
  private readonly others = new Set<string>();
  private readonly runners = new Set<string | null>();
  /** Names of scripts as the engine knows them, and the instrumented file behind each. */
  private readonly names = new Map<string, string | null>();

  constructor(texts: InstrumentedTexts) {
    this.texts = texts;
  }

  /** The place of the call that is running, or null when no instrumented file is on the stack. */
  current(): Running | null {
    return stackPlace((name) => this.instrumented(name));
  }

  /** All that is running in instrumented files, innermost first. */
  all(): Running[] {
    const other = (name: string): void => void this.others.add(name);
    return [...running((name) => this.instrumented(name), DEPTH, other)];
  }

  /** What is on the stack now runs the program, and is none of its packages. */
  start(): void {
    for (const frame of stack(DEPTH)) this.runners.add(packageOfScript(frame.getFileName() ?? ''));
  }

  /** Installed packages that were on the stack with {@link all}, and nobody looked into, by name; but for those of runners of tests. */
  packages(): string[] {
    const names = [...this.others].flatMap((name) => packageOfScript(name) ?? []);
    return [...new Set(names)].filter((name) => !this.runners.has(name) && !isOfRunners(name)).sort();
  }

  private instrumented(name: string): string | null {
    let file = this.names.get(name);
    if (file === undefined) {
      this.learnFiles();
      const path = this.relative(name);
      file = this.files.has(path) ? path : null;
      this.names.set(name, file);
    }
    return file;
  }

  private relative(name: string): string {
    const bare = name.replace(/[?#].*$/, '');
    // Not the working directory of the moment: programs change that.
    return relative(loaderConfig().cwd, bare.startsWith('file:') ? fileURLToPath(bare) : bare);
  }

  private learnFiles(): void {
    const sites = this.texts.allSites();
    for (; this.known < sites.length; this.known++) {
      const { file, made } = sites[this.known]!;
      this.files.add(made?.file ?? file);
    }
  }
}

/** Completes a place with the text of its line. Reads the file, unless `source` is given: only when the run is over. */
export function siteOf({ file, line }: SitePlace, fn: string, source: string | null = null): Site {
  let text = '';
  try {
    const whole = source ?? readFileSync(resolve(loaderConfig().cwd, file), 'utf8');
    text = whole.split('\n')[line - 1] ?? '';
  } catch {
    // Gone or unreadable: the place alone must do.
  }
  const column = text.search(/\S/) + 1;
  return { file, line, column: Math.max(1, column), text: text.trim().slice(0, 80), fn };
}

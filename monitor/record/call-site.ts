/** Where in the user's text something happens, and from where that was called: stack frames in instrumented files. */

import { readFileSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Site } from '../../data/trace.ts';
import { loaderConfig } from '../loader/load.ts';
import type { Runtime } from '../runtime/runtime.ts';
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
): Generator<Running> {
  for (const frame of stack(depth)) {
    const name = frame.getFileName();
    if (!name || name.startsWith('node:') || frame.isAsync()) continue;
    const file = userFile(name);
    // Lines are worked out only for frames that are wanted: it is what costs.
    const line = file === null ? null : frame.getLineNumber();
    if (file === null || line === null) continue;
    const place = readFrame(frame) ?? asGiven(name, line, frame.getColumnNumber() ?? 1);
    yield { file, ...place, fn: frame.getFunctionName() };
  }
}

const isFile = (url: string): boolean => url.startsWith('file:');
const urlOf = (name: string): string =>
  isFile(name) ? name.replace(/[?#].*$/, '') : pathToFileURL(name).href;

/**
 * A place in the instrumented text, which keeps lines. A loader that rewrites that once more, as tsx does when it leaves out
 * line breaks, tells by a source map of the file itself where it was; a map to other files was there before us.
 */
function asGiven(name: string, line: number, column: number): Pick<Running, 'line' | 'column'> {
  const map = process.sourceMapsEnabled ? findSourceMap(name) : undefined;
  const entry = map?.findEntry(line - 1, column - 1);
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return { line, column };
  if (urlOf(entry.originalSource) !== urlOf(name)) return { line, column };
  return { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

/** The innermost place of the stack in a file that `userFile` knows, by the name that it gives. */
export function stackPlace(userFile: (name: string) => string | null): SitePlace | null {
  for (const depth of [NEAR, DEPTH])
    for (const { file, line } of running(userFile, depth)) return { file, line };
  return null;
}

/** Where a frame is in the user's text, for texts that this process did not make; null: as the engine says. */
export type FrameReader = (
  frame: NodeJS.CallSite,
) => { readonly line: number; readonly column: number } | null;

let readFrame: FrameReader = () => null;

/** From here on places of such texts are known by `reader`. */
export function readFramesBy(reader: FrameReader): void {
  readFrame = reader;
}

export class CallSites {
  private readonly runtime: Runtime;
  private readonly files = new Set<string>();
  private known = 0;
  /** Names of scripts as the engine knows them, and the instrumented file behind each. */
  private readonly names = new Map<string, string | null>();

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** The place of the call that is running, or null when no instrumented file is on the stack. */
  current(): SitePlace | null {
    return stackPlace((name) => this.instrumented(name));
  }

  /** All that is running in instrumented files, innermost first. */
  all(): Running[] {
    return [...running((name) => this.instrumented(name))];
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
    const sites = this.runtime.allSites();
    for (; this.known < sites.length; this.known++) this.files.add((sites[this.known] as Site).file);
  }
}

/** Completes a place with the text of its line. Reads the file: only when the run is over. */
export function siteOf({ file, line }: SitePlace, fn: string): Site {
  let text = '';
  try {
    text = readFileSync(resolve(loaderConfig().cwd, file), 'utf8').split('\n')[line - 1] ?? '';
  } catch {
    // Gone or unreadable: the place alone must do.
  }
  const column = text.search(/\S/) + 1;
  return { file, line, column: Math.max(1, column), text: text.trim().slice(0, 80), fn };
}

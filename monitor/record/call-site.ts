/** Where in the user's text a request was issued: the innermost stack frame in an instrumented file. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Site } from '../../data/trace.ts';
import { loaderConfig } from '../loader/load.ts';
import type { Runtime } from '../runtime/runtime.ts';

export interface Place {
  /** Relative to the working directory. */
  readonly file: string;
  readonly line: number;
}

const DEPTH = 40;

/** Structured frames: no text to parse, and the user's own formatter is not run. */
const structured = (_error: unknown, frames: unknown) => frames;

/** The innermost frame of the stack in a file that `userFile` knows, by the name that it gives. */
export function stackPlace(userFile: (name: string) => string | null): Place | null {
  const { stackTraceLimit, prepareStackTrace } = Error;
  const holder: { stack?: unknown } = {};
  Error.stackTraceLimit = DEPTH;
  Error.prepareStackTrace = structured;
  Error.captureStackTrace(holder);
  const frames = holder.stack as NodeJS.CallSite[];
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  for (const frame of frames) {
    const name = frame.getFileName();
    if (!name || name.startsWith('node:')) continue;
    const file = userFile(name);
    // Lines are worked out for the one frame that is wanted: it is what costs.
    const line = file === null ? null : frame.getLineNumber();
    if (file !== null && line !== null) return { file, line };
  }
  return null;
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
  current(): Place | null {
    return stackPlace((name) => this.instrumented(name));
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
export function siteOf({ file, line }: Place, fn: string): Site {
  let text = '';
  try {
    text = readFileSync(resolve(loaderConfig().cwd, file), 'utf8').split('\n')[line - 1] ?? '';
  } catch {
    // Gone or unreadable: the place alone must do.
  }
  const column = text.search(/\S/) + 1;
  return { file, line, column: Math.max(1, column), text: text.trim().slice(0, 80), fn };
}

/** Program points of calls that only the stack tells: synchronous ones of the host, which instrumented text does not mark. */

import { configure, type LoaderConfig } from '../loader/config.ts';
import { isOurScript } from '../loader/select.ts';
import { type Running, running, siteOf, writtenAt } from '../record/call-site.ts';
import type { SiteInfo } from '../runtime/types.ts';
import type { ThreadLoader } from './load.ts';

/** So many places of a program have points. */
const MOST = 1024;
const LOADS = /^node:internal\/(?:modules|process\/(?:execution|esm_loader))/;

/** From the point of a call to that of all it touches behind the first: see data/threads/calls.ts. */
export const GOES_ON = 1;

const SYNCHRONOUS = /(?:[\w$]+\.)*[\w$]*Sync\s*\(/;

export class CallPoints {
  private readonly loader: ThreadLoader;
  private readonly known = new Map<string, number>();

  constructor(loader: ThreadLoader, config: LoaderConfig) {
    configure(config);
    this.loader = loader;
  }

  /** The point of the call that is running; 0: it is no code of the user's, or Node loads a module for it. */
  here(): number {
    const call = this.innermost();
    if (call === null) return 0;
    const key = `${call.file}:${call.line}:${call.column}`;
    let point = this.known.get(key);
    if (point === undefined) {
      if (this.known.size === MOST) return 0;
      const site = this.site(call);
      this.known.set(key, (point = this.loader.pointsAt([site, site], key)));
    }
    return point;
  }

  /** Our own code calls the host, too, in the midst of the program's: then nothing of ours is between Node and that. */
  private innermost(): Running | null {
    let isNodes = false;
    let isOthers = false;
    const other = (name: string): void => {
      if (LOADS.test(name)) isOthers = true;
      else if (name.startsWith('node:')) isNodes = true;
      else if (isNodes && isOurScript(name)) isOthers = true;
    };
    for (const call of running((name) => this.loader.fileOf(name), undefined, other))
      return isOthers ? null : call;
    return null;
  }

  /** Linked modules call what they import in other words: then it is the first synchronous call in the line. */
  private site(call: Running): SiteInfo {
    const { file, line } = call;
    const written = writtenAt(call, (...place) => this.loader.originalColumn(...place));
    const { column: first, text } = siteOf({ file, line }, '', this.loader.textOf(file));
    const at = SYNCHRONOUS.exec(text)?.index ?? 0;
    const own = { file, line, column: first + at };
    const fn = call.fn?.split('.').at(-1) ?? '';
    return {
      ...{ text, fn, key: null, access: null, atomic: null },
      ...(written ? { ...written, made: own } : own),
    };
  }
}

/** Names of a trace as indices, in the order in which they appear. */
import { TraceError } from './error.ts';
import { shown } from './std-line.ts';

// What no tool prints and no format carries: white space, control characters, bytes that are no text.
const UNPRINTABLE = /[\s\p{Cc}\ufffd]/u;

export class NameTable {
  readonly names: string[] = [];
  private readonly index = new Map<string, number>();
  private readonly what: string;
  private readonly most: number;

  /** `what` names the table in messages. */
  constructor(what: string, most = 0x7fffffff) {
    this.what = what;
    this.most = most;
  }

  /** The index of a name, a new one if it was not seen. Throws a {@link TraceError} for `line`. */
  of(name: string, line: number): number {
    const known = this.index.get(name);
    if (known !== undefined) return known;
    if (UNPRINTABLE.test(name)) throw new TraceError(`${this.what} ${shown(name)} is not a name`, line);
    if (this.names.length >= this.most) throw new TraceError(`more than ${this.most} ${this.what}s`, line);
    // A copy: a slice would keep the whole piece of the file alive that it was cut from.
    const own = Buffer.from(name).toString();
    const id = this.names.push(own) - 1;
    this.index.set(own, id);
    return id;
  }
}

/**
 * `Function.prototype.toString` gives the text that the user wrote. Functions that are stringified and
 * evaluated elsewhere (workers, vm contexts, `new Function`) then run as if nobody watched.
 */
import { types } from 'node:util';
import { columnBefore } from '../instrument/edits.ts';
import { originalOf } from '../stand-ins.ts';
import { madeIn } from './points.ts';

/** The instrumented text of a file and where what was put in: pairs of position in the text and length. */
interface FunctionText {
  readonly first: number;
  readonly sites: number;
  readonly code: string;
  readonly inserted: Int32Array;
  /** Where each mark stands in the text; made when the first one is asked for. */
  marks: ReadonlyMap<string, number> | null;
}

const texts: FunctionText[] = [];

/** Remembers an instrumented text; `first` and `sites` are the range of its points. */
export function registerText(first: number, sites: number, code: string, inserted: Int32Array): void {
  texts.push({ first, sites, code, inserted, marks: null });
}

const native = Function.prototype.toString;
const MARK = /__cov\.\w+\((\d+),/;
const MARKS = new RegExp(MARK, 'g');

/** The file that a piece of instrumented text is of, and where in it the piece starts; null where unknown. */
function placeOf(
  text: string,
): { readonly file: FunctionText; readonly start: number; readonly mark: number } | null {
  const mark = MARK.exec(text);
  if (mark === null) return null;
  const site = Number(mark[1]);
  const file = texts.find((t) => site >= t.first && site < t.first + t.sites);
  if (file === undefined) return null;
  const at = marksOf(file).get(mark[0]);
  return at === undefined ? null : { file, start: at - mark.index, mark: mark.index };
}

/**
 * Each point has its own number, so its call is found once; type stripping keeps positions. Found in one go:
 * a runner that asks for the text of each test's function does so again in each run.
 */
function marksOf(file: FunctionText): ReadonlyMap<string, number> {
  return (file.marks ??= new Map(
    [...file.code.matchAll(MARKS)].reverse().map(({ 0: mark, index }) => [mark, index]),
  ));
}

const foreign = new WeakMap<Function, boolean>();

/** Whether a function was written in JavaScript and nobody watches what it does. */
export function isForeign(f: Function): boolean {
  let is = foreign.get(f);
  if (is === undefined) {
    is = !types.isProxy(f) && !isNative(f) && !isWatched(native.call(f));
    foreign.set(f, is);
  }
  return is;
}

/** Whether the engine or the host made a function. */
export function isNative(f: Function): boolean {
  return !types.isProxy(f) && native.call(f).endsWith('{ [native code] }');
}

function isWatched(text: string): boolean {
  return MARK.test(text) || texts.some(({ code }) => code.includes(text));
}

/**
 * The column in the user's text of a place in an instrumented one; both count from 1. Null where the file is not
 * known. Where a module was rewritten as well, what follows in a line may stand elsewhere.
 */
export function originalColumn(file: string, line: number, column: number): number | null {
  const text = texts.findLast(({ first, sites }) => sites > 0 && madeIn(first)?.file === file);
  return text === undefined ? null : columnBefore(text, line, column);
}

/** What the user wrote in the instrumented file at `path`, and how it is called here; null for any other file. */
export function originalSource(path: string): { readonly file: string; readonly text: string } | null {
  const known = texts.findLast(({ first, sites }) => sites > 0 && path.endsWith(`/${madeIn(first)?.file}`));
  if (known === undefined) return null;
  let text = '';
  let from = 0;
  for (let i = 0; i < known.inserted.length; i += 2) {
    text += known.code.slice(from, known.inserted[i]);
    from = known.inserted[i]! + known.inserted[i + 1]!;
  }
  return { file: madeIn(known.first)!.file, text: text + known.code.slice(from) };
}

/** The user's text of a function, given its instrumented one. */
export function originalText(text: string): string {
  const place = placeOf(text);
  const whole = place === null ? text : without(text, place.start, place.file);
  return whole.includes('__covp') ? whole.replace(PARAMETER, '$1') : whole;
}

/** A parameter that was given a name, with what the user wrote behind it: others look there for what is taken apart. */
const PARAMETER = /__covp\d+\/\*([\s\S]*?)\*\//g;

/** The same for a line that quotes an expression among words of its own: what does not fit is taken for words. */
export function originalQuote(line: string): string {
  const place = placeOf(line);
  if (place === null) return line;
  const { start, mark } = place;
  const { code, inserted } = place.file;
  let out = '';
  let from = 0;
  for (let i = 0; i < inserted.length; i += 2) {
    const at = inserted[i]! - start;
    const end = at + inserted[i + 1]!;
    if (end <= mark || at < from || !line.startsWith(code.slice(inserted[i]!, start + end), at)) continue;
    out += line.slice(from, at);
    from = end;
  }
  return out + line.slice(from);
}

/** Leaves out what was put in; where anything is not where it should be, the text stays as it is. */
function without(text: string, start: number, { code, inserted }: FunctionText): string {
  let out = '';
  let from = 0;
  for (let i = firstFrom(inserted, start); i < inserted.length; i += 2) {
    const at = inserted[i]! - start;
    if (at >= text.length) break;
    const ours = code.slice(inserted[i]!, inserted[i]! + inserted[i + 1]!);
    if (!text.startsWith(ours, at)) return text;
    out += text.slice(from, at);
    from = at + ours.length;
  }
  return out + text.slice(from);
}

/** The index of the first pair whose position is `start` or behind it; positions rise. */
function firstFrom(inserted: Int32Array, start: number): number {
  let low = 0;
  let high = inserted.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inserted[2 * middle]! < start) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}

/** Installs the patch into a realm (default: this one), unless its intrinsics are frozen. */
export function patchToString(realm: { Function: FunctionConstructor } = globalThis): void {
  const inner = realm.Function.prototype.toString;
  // A method, because the original is no constructor either.
  const patch = {
    toString(this: unknown): string {
      if (this === patch) return native.call(inner);
      const text: string = Reflect.apply(inner, originalOf(this), []);
      return text.includes('__cov') ? originalText(text) : text;
    },
  }.toString;
  Reflect.defineProperty(realm.Function.prototype, 'toString', {
    value: patch,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

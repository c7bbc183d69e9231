/**
 * Edits are insertions only, so every line stays where it was, and the original text can be had back by
 * leaving them out. Point numbers inside inserted text are relative until a file is given its range.
 */

/** Text to put in before position `at` of the original. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

const SITE = /§(\d+)§/g;
const WORD_START = /^[\w$]/;
const WORD_END = /[\w$]/;

/** A point number that {@link applyInsertions} will relocate. */
export function siteMark(local: number): string {
  return `§${local}§`;
}

type EditText = string | (() => string);

/**
 * Collects edits in the order of a walk that visits outer nodes before inner ones.
 *
 * Invariant: at one position, closings of inner nodes precede those of outer ones, and all closings precede
 * the openings, outer first.
 */
export class Edits {
  readonly #closings = new Map<number, EditText[]>();
  readonly #openings = new Map<number, EditText[]>();

  /** Puts `text` before what starts at `at`, inside of earlier openings there. */
  open(at: number, text: EditText): void {
    push(this.#openings, at, text);
  }

  /** Puts `text` behind what ends at `at`, inside of earlier closings there. */
  close(at: number, text: EditText): void {
    push(this.#closings, at, text);
  }

  /** Whether something opens at `at` so far. */
  opensAt(at: number): boolean {
    return this.#openings.has(at);
  }

  /** All edits, by position. */
  insertions(): Insertion[] {
    const positions = [...new Set([...this.#closings.keys(), ...this.#openings.keys()])].sort(
      (a, b) => a - b,
    );
    return positions.map((at) => {
      const parts = [...(this.#closings.get(at) ?? []).toReversed(), ...(this.#openings.get(at) ?? [])];
      return { at, text: parts.map((part) => (typeof part === 'string' ? part : part())).join('') };
    });
  }
}

function push(map: Map<number, EditText[]>, at: number, text: EditText): void {
  const list = map.get(at);
  if (list === undefined) map.set(at, [text]);
  else list.push(text);
}

/** An instrumented text, and where in it what was put in: pairs of position and length. */
export interface Applied {
  readonly code: string;
  readonly inserted: Int32Array;
}

/** Puts insertions (sorted by position) into `source`, numbering points from `firstSite`. */
export function applyInsertions(
  source: string,
  insertions: readonly Insertion[],
  firstSite: number,
): Applied {
  const parts: string[] = [];
  const inserted = new Int32Array(insertions.length * 2);
  let from = 0;
  let length = 0;
  insertions.forEach(({ at, text }, i) => {
    const numbered = text.replace(SITE, (_, local: string) => String(firstSite + Number(local)));
    // In minified text a keyword may touch what follows: `return{}`, `case[]`.
    const touches = at > 0 && WORD_END.test(source[at - 1]!) && WORD_START.test(numbered);
    const placed = touches ? ` ${numbered}` : numbered;
    parts.push(source.slice(from, at), placed);
    length += at - from;
    inserted[2 * i] = length;
    inserted[2 * i + 1] = placed.length;
    length += placed.length;
    from = at;
  });
  parts.push(source.slice(from));
  return { code: parts.join(''), inserted };
}

/** The column in the text as it was of a place in one with insertions; lines and columns count from 1. */
export function columnBefore({ code, inserted }: Applied, line: number, column: number): number {
  let start = 0;
  for (let n = 1; n < line; n++) start = code.indexOf('\n', start) + 1;
  let before = 0;
  for (let i = 0; i < inserted.length; i += 2) {
    const at = inserted[i]!;
    if (at >= start && at < start + column - 1) before += Math.min(inserted[i + 1]!, start + column - 1 - at);
  }
  return column - before;
}

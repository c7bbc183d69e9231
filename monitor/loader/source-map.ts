/** Keeps the source map of a text true when something is put into its lines. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Reads the number at the beginning of a segment; `length`: of its digits. */
function read(segment: string): { value: number; length: number } {
  let bits = 0;
  let shift = 0;
  for (let i = 0; i < segment.length; i++) {
    const digit = DIGITS.indexOf(segment[i] as string);
    bits += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) === 0) return { value: bits & 1 ? -(bits >> 1) : bits >> 1, length: i + 1 };
  }
  return { value: 0, length: segment.length };
}

function write(value: number): string {
  let bits = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = bits & 31;
    bits >>>= 5;
    text += DIGITS[bits > 0 ? digit | 32 : digit];
  } while (bits > 0);
  return text;
}

/** What was put into one line: before which column of it, and of what length. */
export type Put = readonly { readonly column: number; readonly length: number }[];

/**
 * The `mappings` of a source map (its format is that of ECMA-426) after `puts` were made, by line. Only the column in
 * the text itself changes, which is the first number of a segment and counts from that of the segment before.
 */
export function shifted(mappings: string, puts: readonly (Put | undefined)[]): string {
  return mappings
    .split(';')
    .map((line, at) => {
      const put = puts[at];
      return put && line !== '' ? shiftedLine(line, put) : line;
    })
    .join(';');
}

function shiftedLine(line: string, put: Put): string {
  let column = 0;
  let written = 0;
  let moved = 0;
  let next = 0;
  return line
    .split(',')
    .map((segment) => {
      const { value, length } = read(segment);
      column += value;
      for (; next < put.length && put[next]!.column <= column; next++) moved += put[next]!.length;
      const delta = column + moved - written;
      written = column + moved;
      return write(delta) + segment.slice(length);
    })
    .join(',');
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

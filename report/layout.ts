/** Laying out text: wrapping, indenting, shortening. Works on text that holds no colour codes yet. */

/** Breaks text at spaces so that no line is longer than `width`; longer words stay whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

/** Wraps text into lines that begin with `first`, then with as many spaces. */
export function hang(first: string, text: string, width: number): string[] {
  const pad = ' '.repeat(first.length);
  return wrap(text, width - first.length).map((line, at) => (at === 0 ? first : pad) + line);
}

/** Puts a prefix before every line that is not empty. */
export function indent(lines: readonly string[], prefix: string): string[] {
  return lines.map((line) => (line === '' ? '' : prefix + line));
}

/** Shortens to at most `width` characters, with an ellipsis at the end. */
export function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`;
}

/** Shortens at the beginning: what tells paths apart stands at their end. */
export function shortenStart(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - Math.max(1, width - 1))}`;
}

/** Shortens so that the name at index `at` of some code is seen, with its object and what is behind it. */
export function shortenAround(text: string, at: number, width: number): string {
  if (text.length <= width || at <= width / 2) return shorten(text, width);
  const chain = /[\w$#.?]*$/.exec(text.slice(0, at))![0].length;
  const start = chain <= width / 2 ? at - chain : at;
  const fits = text.indexOf(' ', text.length - width) + 1;
  return shorten(`…${text.slice(fits > 0 ? Math.min(fits, start) : start)}`, width);
}

/** `1 pair`, `2 pairs`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function enumerate(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`;
}

const MAX_NAMED = 3;

/** `a, b, c and 11 more`. */
export function shortList(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return more > 1 ? `${names.slice(0, MAX_NAMED).join(', ')} and ${more} more` : enumerate(names);
}

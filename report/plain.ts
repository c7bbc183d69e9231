/** Text of the program under test as a terminal may show it: nothing in it moves the cursor or hides a word. */

/** Control characters but for tabs and ends of lines, and those that turn the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Where several lines are meant; anything else is one line, and not endless. */
const LINES: ReadonlySet<string> = new Set(['message', 'stack', 'error', 'reason', 'waits', '']);
const LONGEST = 300;

const picture = (character: string): string => {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
};

/** The text with pictures in the place of what a terminal would obey. */
export const plainText = (text: string): string => text.replace(/\r\n/g, '\n').replace(UNPRINTABLE, picture);

/** The same as one line of bounded length. */
export function plainLine(text: string): string {
  const line = plainText(text).replace(/\n/g, '\u240a');
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}

/** A value that is shown, with all texts in it made plain. Keys are kept, since they name things. */
export function plainValue<T>(value: T, key = ''): T {
  if (typeof value === 'string') return (LINES.has(key) ? plainText(value) : plainLine(value)) as T;
  if (Array.isArray(value)) return value.map((each) => plainValue(each, key)) as T;
  if (value === null || typeof value !== 'object' || value instanceof Map) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, IDS.has(name) ? each : plainValue(each, name)]),
  ) as T;
}

/** What other parts of a report refer to. */
const IDS: ReadonlySet<string> = new Set(['id', 'test', 'file', 'filters']);

/** The simple commands that a process carries out, as far as its arguments tell: of a shell those of its text. */
import { basename } from 'node:path';

/** A program and what it is given. */
export type CommandWords = readonly string[];

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh']);
const REDIRECTION = /(?<!\d)\d*(?:[<>]|>>)(?:&\d+|\s*[^\s;&|()]+)/g;
/** What separates two commands; or a word, of quoted and other parts. */
const TOKEN = /[;&|()\n]+|(?:"[^"]*"|'[^']*'|\\.|[^\s;&|()"'\\])+/g;
const ASSIGNMENT = /^\w+=/;
/** A command may have a shell carry out another text. */
const MOST_WITHIN = 3;

export function commandsOf(words: CommandWords, within = 0): CommandWords[] {
  const option = SHELLS.has(basename(words[0] ?? '')) ? words.findIndex((word) => /^-\w*c$/.test(word)) : -1;
  const text = option < 0 ? undefined : words[option + 1];
  if (text === undefined || within === MOST_WITHIN) return [words];
  return textCommands(text).flatMap((command) => commandsOf(command, within + 1));
}

/** What a shell makes of a text; variables stay as they are, but for `$PWD`. */
export function textCommands(text: string): CommandWords[] {
  const commands: string[][] = [[]];
  for (const [token] of text.replace(REDIRECTION, ' ').matchAll(TOKEN)) {
    if (/^[;&|()\n]/.test(token)) commands.push([]);
    else commands.at(-1)!.push(unquoted(token));
  }
  return commands.map(withoutAssignments).filter(({ length }) => length > 0);
}

const unquoted = (word: string): string =>
  word
    .replace(/"([^"]*)"|'([^']*)'|\\(.)/gs, (_, double, single, escaped) => double ?? single ?? escaped)
    .replace(/\$(?:PWD\b|\{PWD\})/g, '.');

const withoutAssignments = (words: CommandWords): CommandWords =>
  words.slice(words.findIndex((w) => !ASSIGNMENT.test(w)));

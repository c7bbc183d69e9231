/** The commands that the documents and the help texts show, as a reader would type them. */
import { globSync, readFileSync } from 'node:fs';
import {
  EXPLAIN,
  EXPORT,
  GENERAL,
  INSPECT,
  MONITOR,
  OVERLAP,
  PREDICT,
  REPLAY,
  REPORT,
  RESCHEDULE,
  RUN,
} from '../../../cli/help.ts';

const ROOT = new URL('../../../', import.meta.url);

/** Text of a document. */
export const doc = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');

/** The code blocks of a text that are in `language`. */
export const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(/```(\w*)\n(.*?)```/gs)]
    .filter((match) => match[1] === language)
    .map((match) => match[2]!);

const withoutRemark = (line: string): string => line.replace(/\s{2,}\S.*$/, '').trim();

/** In running text: a command, with variables before it or without. */
const RUNNING = /`((?:[A-Z_]+=\S+\s+)?(?:unweave|npm|npx|node)\s[^`]+)`/g;

/** `$ npx unweave …` of console blocks, lines of shell blocks, and commands in running text. */
function inDocument(text: string): string[] {
  const typed = blocks(text, 'console').flatMap((block) =>
    block.split('\n').flatMap((line) => (line.startsWith('$ ') ? [withoutRemark(line.slice(2))] : [])),
  );
  const shell = blocks(text, 'sh').flatMap((block) => block.trim().split('\n'));
  const running = [...text.replace(/```.*?```/gs, '').matchAll(RUNNING)].map(([, command = '']) =>
    command.replace(/\s+/g, ' '),
  );
  return [...typed, ...shell, ...running].map((command) => oneId(command.replace(/^npx (?=unweave)/, '')));
}

/** Bugs go by one name here. */
const oneId = (command: string): string => command.replace(/<bug id>|<id>|b7f3a1c2/, 'b7f3a1');

/** Below "Examples:". */
const inHelp = (text: string): string[] =>
  [...text.matchAll(/^ {2}(unweave .*)$/gm)].map(([, line = '']) => oneId(withoutRemark(line)));

/** A script of package.json. */
export const script = (name: string): string => JSON.parse(doc('package.json')).scripts[name];

/** Every command, where it is first met: the README, the help of each command in the order of work, the rest. */
export const COMMANDS: readonly string[] = [
  ...new Set([
    ...inDocument(doc('README.md')),
    ...[
      GENERAL,
      RUN,
      OVERLAP,
      EXPLAIN,
      REPORT,
      INSPECT,
      REPLAY,
      EXPORT,
      MONITOR,
      PREDICT,
      RESCHEDULE,
    ].flatMap(inHelp),
    ...globSync(['CONTRIBUTING.md', 'docs/*.md'], { cwd: ROOT })
      .sort()
      .flatMap((name) => inDocument(doc(name))),
    ...inDocument(doc('CHANGELOG.md')),
  ]),
];

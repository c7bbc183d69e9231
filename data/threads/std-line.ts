/**
 * One line of the STD format of the academic trace tools (RAPID's `parse/std`): `thread|operation(operand)|location`.
 * Beyond its r, w, acq, rel, fork, join, begin, end there is no customary spelling; ours are racq and rrel (a
 * read-write lock taken for reading), send and recv, arrive and leave (a barrier).
 */
import { TraceError } from './error.ts';
import { Op } from './trace.ts';

/** Spelling of each operation. */
export const SPELLING: Readonly<Record<Op, string>> = {
  [Op.Read]: 'r',
  [Op.Write]: 'w',
  [Op.Acquire]: 'acq',
  [Op.Release]: 'rel',
  [Op.AcquireShared]: 'racq',
  [Op.ReleaseShared]: 'rrel',
  [Op.Fork]: 'fork',
  [Op.Join]: 'join',
  [Op.Begin]: 'begin',
  [Op.End]: 'end',
  [Op.Send]: 'send',
  [Op.Receive]: 'recv',
  [Op.Arrive]: 'arrive',
  [Op.Leave]: 'leave',
};

const BY_SPELLING = new Map(Object.entries(SPELLING).map(([op, word]) => [word, Number(op) as Op]));

export interface StdLine {
  readonly thread: string;
  readonly op: Op;
  /** Empty for begin and end: what they are called with says nothing. */
  readonly operand: string;
  readonly location: string;
}

/** Throws a {@link TraceError} that says what is wrong; `line` counts from 1. */
export function parseStdLine(text: string, line: number): StdLine {
  const first = text.indexOf('|');
  const second = text.indexOf('|', first + 1);
  if (first <= 0 || second < 0 || second === text.length - 1 || text.includes('|', second + 1))
    throw new TraceError('expected thread|operation(operand)|location', line);
  const open = text.indexOf('(', first);
  const named = open > 0 && open < second;
  const word = text.slice(first + 1, named ? open : second);
  const op = BY_SPELLING.get(word);
  if (op === undefined) throw new TraceError(`unknown operation ${shown(word)}`, line);
  const bare = op === Op.Begin || op === Op.End;
  if (named ? text[second - 1] !== ')' : !bare) throw new TraceError(`${word} without (operand)`, line);
  const operand = bare ? '' : text.slice(open + 1, second - 1);
  if (!bare && operand === '') throw new TraceError(`${word} of nothing`, line);
  return { thread: text.slice(0, first), op, operand, location: text.slice(second + 1) };
}

/** Text from outside in a message: short and printable. */
export function shown(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return JSON.stringify(short.replace(/[^\x20-\x7e…]/g, '?'));
}

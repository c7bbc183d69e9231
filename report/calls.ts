/** Where accesses were called from, in words: the user's own line is seldom the innermost one. */
import type { ReportCall } from '../data/report.ts';
import { place } from './phrase.ts';
import { type SourceReader, sourceLine } from './sources.ts';
import type { Style } from './style.ts';
import type { AccessView } from './view.ts';

/** Calls of one access that are shown. */
const MOST = 3;
/** A line of source that is cut shorter than this says nothing. */
const LEAST_TEXT = 12;

/** An access by its mark in the report. */
export interface MarkedAccess {
  readonly mark: string;
  readonly access: AccessView;
}

/** The calls that led to accesses of one place, told once where they are the same. */
export function callLines(accesses: readonly MarkedAccess[], read: SourceReader, style: Style): string[] {
  const chains = new Map<string, { marks: string; calls: readonly ReportCall[] }>();
  for (const { mark, access } of accesses) {
    const calls = telling(access);
    const key = calls.map(place).join();
    const marks = (chains.get(key)?.marks ?? '') + mark;
    chains.set(key, { marks, calls });
  }
  return [...chains.values()].flatMap(({ marks, calls }) => {
    const who = chains.size > 1 ? `${marks} ` : '';
    return calls.map((call, i) => {
      const from = i === 0 ? `${who}called from` : `${' '.repeat(who.length)}       from`;
      return line(`  ${from} ${place(call)}${within(call)}`, call, read, style);
    });
  });
}

function line(start: string, call: ReportCall, read: SourceReader, { colors, width }: Style): string {
  const room = width - 4 - start.length - 3;
  const text = room < LEAST_TEXT ? null : sourceLine(read, call, room);
  return text === null ? start : `${start}   ${colors.dim(text)}`;
}

/** Functions without a name are named by their place, which is told already. */
const within = ({ function: fn }: ReportCall): string => (fn === '' || fn.includes('@') ? '' : ` in ${fn}`);

/** The innermost ones, and in any case one outside of packages, where there is one. */
function telling({ file, line, calledFrom = [] }: AccessView): readonly ReportCall[] {
  const at = (call: { file: string; line: number }) => `${call.file}:${call.line}`;
  const calls = calledFrom.filter(
    (call, i) => at(call) !== at({ file, line }) && (i === 0 || at(call) !== at(calledFrom[i - 1]!)),
  );
  const inner = calls.slice(0, MOST);
  const own = calls.find((call) => !call.file.split('/').includes('node_modules'));
  return !own || inner.includes(own) ? inner : [...inner.slice(0, -1), own];
}

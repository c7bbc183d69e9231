/** Steps, stalls and accesses in words. */
import type { ReportBug } from '../data/report.ts';
import type { Failure } from '../data/run.ts';
import { code } from './entity.ts';
import { enumerate } from './layout.ts';
import type { AccessView, LateAnswer, Place, StepRow } from './view.ts';

/** `src/a.ts:12:5`. */
export const place = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

/** The reverse of {@link place}; null when it is none. */
export function parsePlace(text: string): Place | null {
  const match = /^(.+):(\d+):(\d+)$/.exec(text);
  return match && { file: match[1]!, line: Number(match[2]), column: Number(match[3]) };
}

/** `reads` or `writes`. */
export const verb = (access: AccessView['access']): string => (access === 'read' ? 'reads' : 'writes');

const TIMER = /^(setTimeout|setInterval|timers)/;

/** What happens in a step: `setTimeout 100 (a.ts:12) fires`, `fs.open cart.json takes effect`. */
export function stepPhrase({ kind, what, site }: Pick<StepRow, 'kind' | 'what' | 'site'>): string {
  if (kind === 'access') return what;
  if (kind === 'effect') return `${what} takes effect`;
  // Many timers have one delay: the line tells which.
  if (TIMER.test(what)) return `${what}${site ? ` (${site.file}:${site.line})` : ''} fires`;
  if (/^setImmediate/.test(what)) return `${what} runs`;
  return `${what} answers`;
}

/** An error in one line: its name and what its message begins with, or all of a message that just gives two values. */
export function errorLine({ name, message }: Pick<Failure, 'name' | 'message'>): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  if (!first.endsWith(':')) return `${name}: ${first}`;
  return lines.length === 2 ? `${name}: ${first} ${lines[1]!.trim()}` : `${name}: ${first.slice(0, -1)}`;
}

/** The texts; where all are equal, each with the line that it comes from. */
export function apart(steps: readonly { readonly text: string; readonly site: Place | null }[]): string[] {
  const alike = new Set(steps.map(({ text }) => text)).size === 1;
  const placed = (text: string, site: Place): string => {
    const at = `${site.file}:${site.line}`;
    return text.includes(at) ? text : `${text} (${at})`;
  };
  return steps.map(({ text, site }) => (alike && site ? placed(text, site) : text));
}

/** Answers that have to be late and are told one by one. */
const MAX_LATE = 3;

/** When the failing order happens on a plain machine: who has to be late, and by how much. */
export function stallSentence(
  {
    requiredStallMs,
    requiredPauseMs,
    latency,
  }: Pick<ReportBug, 'requiredStallMs' | 'requiredPauseMs' | 'latency'>,
  late: readonly LateAnswer[],
  who = 'the process',
): string {
  const ms = (n: number) => `${Math.max(1, Math.ceil(n))} ms`;
  const pause = latency
    ? `this step of ${ms(latency.ms)} takes ${ms(latency.tookMs)}: ${code(latency.timer)}${latency.at ? ` (${latency.at.file}:${latency.at.line})` : ''}`
    : `${who} pauses for at least ${ms(requiredPauseMs)} between two statements (a busy CPU, garbage collection)`;
  const pauses = requiredPauseMs > 0 ? [pause] : [];
  if (requiredStallMs <= 0)
    return pauses.length > 0 ? `happens when ${pause}` : 'needs no delay beyond the order of two answers';
  const slow = late.filter((answer) => answer.ms > 0);
  if (slow.length === 0)
    return `happens when ${enumerate([...pauses, `a host answer takes at least ${ms(requiredStallMs)} longer than usual`])}`;
  // The latest come first; what is hardly late beside them follows from them.
  const told = slow.length > MAX_LATE ? slow.slice(0, MAX_LATE - 1) : slow;
  const each = told.map(({ api, what, ms: by, at }) => {
    const where = at ? ` (${at.file}:${at.line})` : '';
    const subject = what === '' ? code(api) : `${code(api)} of ${code(what)}${where}`;
    return [subject, `at least ${ms(by)} longer than in the natural order`] as const;
  });
  // Two requests for one thing are told apart by nothing.
  const clauses = [...Map.groupBy(each, (parts) => parts.join()).values()].map((alike) => {
    const [subject, by] = alike[0]!;
    return alike.length === 1 ? `${subject} takes ${by}` : `${alike.length} times ${subject} take ${by}`;
  });
  if (told.length < slow.length)
    clauses.push(`${slow.length - told.length} more answers are as late or less`);
  return `happens when ${enumerate([...pauses, ...clauses])}`;
}

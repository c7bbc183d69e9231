/** The report as Markdown: for the summary of a job, which may be 1 MiB long, and for a comment. */
import type { FailList } from '../../data/fail-on.ts';
import type { ToldFinding } from '../finding.ts';
import { count } from '../layout.ts';
import { LIST_TITLES, LISTS, remarkOn } from '../lists.ts';
import { place } from '../phrase.ts';
import type { Findings } from '../reporter-api.ts';
import { closing } from '../summary.ts';

/** GitHub refuses longer ones; other commands of the step write to the same file. */
export const SUMMARY_LIMIT = 1024 * 1024;
/** GitHub takes 65,536 characters in a comment, GitLab more. */
export const COMMENT_LIMIT = 65_536;
/** Room for the last lines. */
const RESERVE = 4096;
const LONGEST_ERROR = 4000;

/** Nothing in it is markup: any punctuation may have a backslash before it. */
const escaped = (text: string): string => text.replace(/\s+/g, ' ').replace(/[!-/:-@[-`{-~]/g, '\\$&');

/**
 * Nor does it call anybody or point to an issue: who is meant is read off the rendered text, in which a backslash is gone
 * and a comment is not.
 */
const plain = (text: string): string => escaped(text).replace(/[@#]/g, '$&<!---->');

/** Between backticks text could end it: a name may hold some. Nobody is called in it. */
const code = (text: string): string => `<code>${escaped(text)}</code>`;

/** A sentence of ours, in which `code` is marked. */
function sentence(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? code(part.slice(1, -1)) : plain(part)))
    .join('');
}

/** A block that nothing in the text can end. */
function fenced(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${text.slice(0, LONGEST_ERROR)}\n${fence}`;
}

function findingText({
  bug,
  name,
  sentence: said,
  advice,
  accesses,
  steps: told,
  testTitle,
}: ToldFinding): string {
  const places = accesses.map(
    ({ mark, access, file, line, column }) =>
      `- ${mark} ${plain(access.task)} ${access.access}s at ${plain(`${file}:${line}:${column}`)}`,
  );
  const steps = told.map((step) => `- ${plain(`${step.text} at ${place(step)}`)}`);
  const conditional =
    bug.conditional === null ? [] : [`Rests on an assumption: ${sentence(bug.conditional)}`];
  return [
    `#### ${sentence(`${name}: ${said}`)}`,
    plain(testTitle),
    ...[places, steps].flatMap((lines) => (lines.length > 0 ? [lines.join('\n')] : [])),
    ...conditional,
    fenced(bug.error),
    ...(advice === null ? [] : [`**${advice.label}:** ${sentence(advice.text)}`]),
    `Reproduced ${bug.reproduced}, control ${bug.control}. Shown again by ${code(bug.replay)}`,
    '',
  ].join('\n\n');
}

/** The summary, in at most `room` bytes. */
export function jobSummary(
  { report, views, hidden }: Findings,
  findings: readonly ToldFinding[],
  counting?: ReadonlySet<FailList>,
  room = SUMMARY_LIMIT,
): string {
  const shown = findings.filter((finding) => finding.hidden === null);
  const [first = '', ...rest] = closing(report, views, hidden);
  const head = [`## Unweave: ${sentence(first)}`, ...rest.map(sentence), ''].join('\n\n');
  let text = Buffer.byteLength(head) + RESERVE > room ? '' : head;
  let left = room - RESERVE - Buffer.byteLength(text);
  let untold = 0;
  for (const list of LISTS) {
    const of = shown.filter((finding) => finding.list === list);
    if (of.length === 0) continue;
    const why = remarkOn(list, counting);
    const remark = why === '' ? '' : ` (${why})`;
    const texts = [`### ${LIST_TITLES[list]}: ${of.length}${remark}\n\n`, ...of.map(findingText)];
    for (const [at, one] of texts.entries()) {
      const bytes = Buffer.byteLength(one);
      if (bytes <= left) {
        text += one;
        left -= bytes;
      } else if (at > 0) untold += 1;
    }
  }
  return untold === 0 ? text : `${text}\n${count(untold, 'more finding')}: too long for this page.\n`;
}

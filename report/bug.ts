/** The report of one bug, readable without knowing how the tool works. */

import type { FailList } from '../data/fail-on.ts';
import type { ReportBug } from '../data/report.ts';
import { threadOfTask } from '../data/threads/tasks.ts';
import { code } from './entity.ts';
import { renderExcerpts, renderFlip } from './excerpt.ts';
import { headLines } from './head.ts';
import { heading, ink } from './ink.ts';
import { count, hang, indent } from './layout.ts';
import { likelihoodClause, needOf } from './likelihood.ts';
import { remarkOn } from './lists.ts';
import { isCircle } from './lock-waits.ts';
import { findMoves, type Move, trains } from './moves.ts';
import { pairOf } from './pair.ts';
import { apart, stallSentence, stepPhrase } from './phrase.ts';
import { describeShape } from './shape.ts';
import { unseenLine } from './silence.ts';
import type { SourceReader } from './sources.ts';
import { renderSpaceTime } from './spacetime.ts';
import { userFrames } from './stack.ts';
import type { Style } from './style.ts';
import type { BugView, TestNotes } from './view.ts';
import { wakeUpLine } from './wake-up.ts';
import { witnessSentence } from './witness.ts';

/** What renderers need from outside. */
export interface RenderContext {
  readonly style: Style;
  readonly read: SourceReader;
  readonly cwd: string;
  /** Nothing is told in short. */
  readonly verbose?: boolean;
  /** Lists that count for the exit code, where not those that do by default. */
  readonly counting?: ReadonlySet<FailList>;
}

const ANY_TIME = 'at any time: threads run at once, or are switched between any two accesses';
const IN_ONE_THREAD = 'when what one thread waits for comes in this order';

/** Tasks of one thread are not switched, and wait for the host. */
export function whenThreads({ bug, cutPoint, late }: BugView): string {
  const need = needOf(bug);
  if (need > 0) return `${stallSentence(bug, late, 'a thread')}; ${likelihoodClause(need)}`;
  const threads = cutPoint && [cutPoint.first.task, cutPoint.remote.task].map(threadOfTask);
  return threads && threads[0] === threads[1] ? IN_ONE_THREAD : ANY_TIME;
}

/** What has to be late, and how likely that is. */
export function whenSentence({ bug, late }: BugView): string {
  if (isNaturalOrder(bug))
    return 'whenever nothing is late: this is the natural order, in which each answer comes as soon as it can';
  const where = bug.network === true ? 'where a network lies between the ends, ' : '';
  return `${stallSentence(bug, late)}; ${where}${likelihoodClause(needOf(bug))}`;
}

/** What is between two ends in one process is taken for a network, which is for the reader to judge. */
export function overNetwork({ bug }: BugView): string {
  return bug.network === true
    ? 'both ends of the connection are in this process, and what lies between them is taken for a network: with `--loopback strict`, where it comes at once, as plain Node shows it, none of the orders that were tried fails'
    : '';
}

/** What an order is compared with. */
export const AGAINST = { natural: 'the natural order', passing: 'the nearest order that passes' } as const;

/** The natural order itself fails. */
export const isNaturalOrder = ({ against, schedulesUntilFound }: ReportBug): boolean =>
  against === 'passing' && schedulesUntilFound === 0;

const MAX_MOVES = 6;
/** Fewer steps of one task that moved alike are told one by one. */
const SHORT_TRAIN = 3;
const MAX_MESSAGE_LINES = 12;

function moveLines(moves: readonly Move[], against: ReportBug['against'], style: Style): string[] {
  const usually = against === 'natural' ? 'naturally' : 'there';
  const told = trains(moves).flatMap((train) =>
    train.length < SHORT_TRAIN ? train.map((m) => [m]) : [train],
  );
  const texts = told.slice(0, MAX_MOVES).map((train) => {
    const { step, now, anchor, isNew } = train[0]!;
    const then = isNew ? 'it does not come' : now === 'after' ? 'before it' : 'after it';
    const [moved, overtaken] = apart(
      [step, anchor].map((row) => ({ text: `${code(row.task)}: ${stepPhrase(row)}`, site: row.site })),
    );
    const text = `${moved} — ${now} ${overtaken} (${usually} ${then})`;
    const likewise = `; likewise the ${train.length - 1} steps behind it, up to ${stepPhrase(train.at(-1)!.step)}`;
    return train.length > 1 ? text + likewise : text;
  });
  const lines = [...Map.groupBy(texts, (text) => text)].flatMap(([text, { length }]) =>
    hang('→ ', length > 1 ? `${text}; ${length} such steps` : text, style.width - 4),
  );
  const left = told.slice(MAX_MOVES).flat().length;
  if (left > 0) lines.push(`… and ${count(left, 'more step')}`);
  return lines.map((line) => ink(line, style));
}

function errorLines({ error }: BugView, { cwd, style }: RenderContext): string[] {
  const all = error.message.trimEnd().split('\n');
  const shown = all.slice(0, MAX_MESSAGE_LINES);
  if (all.length > shown.length) shown.push(`… ${count(all.length - shown.length, 'more line')}`);
  const [first = '', ...rest] = shown;
  const named = error.name === '' ? first : `${error.name}: ${first}`;
  return [
    style.colors.red(named),
    ...rest.map((line) => style.colors.red(line)),
    ...userFrames(error.stack, cwd).map((frame) => style.colors.dim(`  ${frame}`)),
  ];
}

const SEARCH = { random: 'random', enumerated: 'exhaustive', preemption: 'preemption' } as const;

/** k of k failures in the forced order, k of k passes in the natural one. */
export function proof({ bug, foundBy }: BugView): string {
  const isOther = bug.against === 'passing';
  const parts = [
    `reproduced ${bug.reproduced}`,
    `control ${bug.control}${isOther ? `, ${AGAINST.passing}` : ''}`,
  ];
  const by = foundBy && foundBy !== 'directed' ? ` by ${SEARCH[foundBy]} search` : '';
  if (!isNaturalOrder(bug)) parts.push(`found${by} after ${count(bug.schedulesUntilFound, 'schedule')}`);
  return parts.join(' · ');
}

/** The nearest passing order. */
export const counterfactual = ({ bug, threads }: BugView): string =>
  passesWhen(bug.counterfactual, threads ? 'thread' : 'task');

/** The same of what is no bug; empty: none is known. */
export function passesWhen(near: ReportBug['counterfactual'], of: 'task' | 'thread' = 'task'): string {
  if (!near) return '';
  const moved = `${near.step}${near.block ? ` (and what its ${of} does next)` : ''}`;
  return `passes (${near.passed} runs) when this order is changed in one place: ${moved} — ${near.now} ${near.anchor}`;
}

/** What a finding rests on. */
export const conditionOf = (conditional: string, counting?: ReadonlySet<FailList>): string =>
  `conditional${remarkOn('conditional', counting) === '' ? '' : ', not counted'}: ${conditional}`;

/** What is told of a bug beside its head where another one about the same was told in full. */
const BRIEF: ReadonlySet<string> = new Set(['The test says', 'Proof']);

/** Renders one bug. `before`: one that was told in full and is about the same. */
export function renderBug(
  view: BugView,
  context: RenderContext,
  { unseen = [] }: TestNotes = {},
  before?: string,
): string[] {
  const { style, read } = context;
  const { bug, cutPoint } = view;
  const shape = describeShape(view, read);
  const moves = findMoves(view.natural, view.failing);
  const moved = new Set(moves.map((move) => move.step));
  const out: string[] = [];
  const section = (title: string, lines: readonly string[]) => {
    if (lines.length > 0 && (before === undefined || BRIEF.has(title)))
      out.push('', indent([heading(title, style)], '  ')[0]!, ...indent(lines, '    '));
  };
  const text = (value: string) =>
    (value === '' ? [] : hang('', value, style.width - 4)).map((line) => ink(line, style));

  const mark =
    bug.conditional !== null
      ? style.colors.yellow('?')
      : bug.class === 'timing'
        ? style.colors.yellow('~')
        : style.colors.red('✗');
  const { headline, places, fix } = headLines(view, shape, style.width - 2);
  headline.forEach((line, at) => {
    const inked = ink(line, style);
    out.push(at === 0 ? `${mark} ${style.colors.bold(inked.slice(2))}` : style.colors.bold(inked));
  });
  out.push(`  ${style.colors.dim(`${view.testTitle}   bug ${bug.id}`)}`);
  for (const line of [...places, ...fix]) out.push(`  ${ink(line, style)}`);
  if (before !== undefined)
    out.push(
      ...indent(
        text(`told in short: it is about the same entity as bug ${before} (--verbose tells all of it)`),
        '  ',
      ),
    );
  if (bug.conditional !== null)
    out.push(...indent(text(conditionOf(bug.conditional, context.counting)), '  '));

  if (bug.class === 'timing' && bug.conditional === null)
    out.push(...indent(text(remarkOn('timing', context.counting).replace('no races', 'no race')), '  '));

  if (bug.waits.length > 0 && !isCircle(bug.waits))
    section(
      'Who waits for what',
      [...bug.waits, ...(bug.wakeUp ? [wakeUpLine(bug.wakeUp)] : [])].flatMap((line) => text(line)),
    );
  const inner = { ...style, width: style.width - 4 };
  section(
    'The failing order',
    renderSpaceTime(cutPoint, view.failing, moved, pairOf(view, moves), read, inner),
  );
  section(`What moved against ${AGAINST[bug.against]}`, moveLines(moves, bug.against, style));
  section('Source', cutPoint ? renderExcerpts(cutPoint, read, style) : renderFlip(bug, read, style));
  section('The test says', errorLines(view, context));
  section('One step away', text(counterfactual(view)));
  section(
    'When',
    view.threads ? text(whenThreads(view)) : [...text(whenSentence(view)), ...text(overNetwork(view))],
  );
  const plain = view.witness ?? (bug.witness === null ? null : { ratio: bug.witness, why: null });
  section('Proof', [
    proof(view),
    ...text(plain ? witnessSentence(plain) : ''),
    `replay: ${style.colors.bold(bug.replay)}`,
    ...text(unseen.length > 0 ? `${unseenLine(unseen)}: what these do to the above is not known` : ''),
  ]);
  if (bug.variants.length > 0)
    section('Also', [
      `${count(bug.variants.length, 'more triple')} of accesses ${bug.variants.length === 1 ? 'ends' : 'end'} in the same error`,
    ]);
  return out;
}

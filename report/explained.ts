/** The first lines of `unweave explain`: what decides whether the test fails, or what was tried and what nobody controlled. */
import type { Report, ReportBug, ReportTest } from '../data/report.ts';
import { adviceLine, adviceOf } from './advice.ts';
import { counterfactual, isNaturalOrder, type RenderContext, whenSentence, whenThreads } from './bug.ts';
import { code, describeEntity } from './entity.ts';
import { heading, ink, MARKS } from './ink.ts';
import { count, hang } from './layout.ts';
import { findMoves } from './moves.ts';
import { pairOf } from './pair.ts';
import { errorLine, place, stepPhrase } from './phrase.ts';
import { describeShape } from './shape.ts';
import { forcedRuns } from './test-state.ts';
import { type ExplainedLines, type ExplainedView, plainOf, unexplained } from './unexplained.ts';
import type { AccessView, BugView, CutPointView, ReportViews } from './view.ts';

export function renderExplained(
  explained: ExplainedView,
  report: Report,
  views: ReportViews,
  context: RenderContext,
): string {
  const { style } = context;
  const test = report.tests.find(({ id }) => id === explained.test);
  const notes = views.tests[explained.test] ?? {};
  const view = views.bugs.find(({ bug }) => bug.id === explained.bug);
  const { mark, verdict, rest } = view
    ? failing(explained, view, test, context)
    : unexplained(explained, test, notes, views.ended);
  const width = Math.max(...rest.map(([title]) => title.length));
  const { green, red, yellow } = style.colors;
  const painted = (mark === '✗' ? red : mark === '✓' ? green : yellow)(mark);
  const head = hang('  ', verdict, style.width).map((line) => style.colors.bold(ink(line, style)));
  const lines = rest
    .filter(([, text]) => text !== '')
    .flatMap(([title, text]) =>
      hang(`  ${title.padEnd(width)}  `, text, style.width).map((line, at) =>
        at === 0 ? `  ${heading(title, style)}${ink(line.slice(2 + title.length), style)}` : ink(line, style),
      ),
    );
  return [`${painted} ${style.colors.dim(explained.title)}`, ...head, '', ...lines, '', ''].join('\n');
}

/** The two steps that decide, with their places, in the order in which the test fails. */
function decidingSteps(view: BugView): [string, string] | null {
  const rows = [...pairOf(view, findMoves(view.natural, view.failing))];
  const [first, second] = rows.toSorted((a, b) => view.failing.indexOf(a) - view.failing.indexOf(b));
  if (!first || !second) return null;
  const say = (row: typeof first): string => {
    const text = `${row.task}: ${stepPhrase(row)}`;
    const at = row.site ? `${row.site.file}:${row.site.line}` : null;
    return `\`${text}\`${at === null || text.includes(at) ? '' : ` (${at})`}`;
  };
  return [say(first), say(second)];
}

function failing(
  { plain }: ExplainedView,
  view: BugView,
  test: ReportTest | undefined,
  { read }: RenderContext,
): ExplainedLines {
  const { bug } = view;
  const pair = decidingSteps(view);
  const { name, sentence, hint } = describeShape(view, read);
  const otherwise = bug.counterfactual ? `; passes the other way round (${bug.counterfactual.passed})` : '';
  const places = (['first', 'remote', 'second'] as const)
    .flatMap((role) => bug[role] ?? [])
    .map((access, at) => `${Object.values(MARKS)[at]} ${place(access).replace(/:\d+$/, '')}`);
  const natural = isNaturalOrder(bug)
    ? 'is the one that fails'
    : bug.against === 'natural'
      ? `passes ${bug.control}`
      : 'fails, too, in another way';
  return {
    mark: '✗',
    verdict: view.cutPoint
      ? between(view.cutPoint)
      : pair
        ? `fails when ${pair[0]} comes before ${pair[1]}${otherwise}`
        : `fails in another order: ${sentence}`,
    rest: [
      ['Defect', `${name}: ${sentence}${places.length > 0 ? ` (${places.join(', ')})` : ''}`],
      ['One step', view.cutPoint ? counterfactual(view) : ''],
      ['Error', errorLine(view.error)],
      ['Orders', test ? triedOf(test, bug) : ''],
      ['Natural', `the natural order ${natural}`],
      ['Plain Node', plainOf(plain)],
      ['When', view.threads ? whenThreads(view) : whenSentence(view)],
      ['Fix', adviceLine(adviceOf(view, hint))],
      ['Replay', bug.replay],
    ],
  };
}

/** What must not come between. */
function between({ entity, other, first, remote, second }: CutPointView): string {
  const say = ({ access, file, line, task }: AccessView, what = 'it'): string =>
    `${code(task)} ${access === 'read' ? 'reads' : 'writes'} ${what} (${file}:${line})`;
  const [one, two] = [entity, other?.entity ?? entity].map(describeEntity) as [string, string];
  const what = other ? `${one} and ${two}` : one;
  return other
    ? `fails when ② ${say(remote, what)} between ① ${say(first, one)} and ③ ${say(second, two)}`
    : `fails when ② ${say(remote, what)} between ① ${say(first)} and ③ ${say(second)}`;
}

/** `12 of 41 forced orders fail, 27 pass`. */
function triedOf(test: ReportTest, { against }: ReportBug): string {
  const { confirmed, deadlock, passed, unknown } = test.verdicts;
  const rest = forcedRuns(test) - confirmed - deadlock - passed - unknown;
  // The order that it is compared with is one of them, too.
  const parts = [
    `${confirmed + deadlock} of ${count(forcedRuns(test) + 1, 'order')} tried fail`,
    `${passed + 1} pass, ${against === 'natural' ? 'the natural one' : 'the nearest one'} among them`,
    ...(unknown > 0 ? [`${unknown} could not be judged`] : []),
    ...(rest > 0 ? [`${rest} could not be brought about`] : []),
  ];
  return parts.join(', ');
}
